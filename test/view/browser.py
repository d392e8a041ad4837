"""Headless Chromium, driven by Selenium, for tests of pages."""

import json
import pathlib
import shutil
import tempfile

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

PATIENCE = 60  # seconds for what must come; a machine may be busy


def missing():
    """What is missing for these tests; empty if nothing is."""
    if webdriver is None:
        return "python3-selenium"
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return program
    return ""


class Browser:
    """One window; what the console says is kept."""

    def __init__(self, width=1280, height=860, dark=False):
        self.profile = tempfile.mkdtemp(prefix="nestor-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", f"--user-data-dir={self.profile}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        if dark:
            options.add_argument("--blink-settings=preferredColorScheme=0")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(PATIENCE)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def open(self, address, fragment=""):
        """A file or an address, until its script has read its data."""
        if not str(address).startswith("http"):
            address = pathlib.Path(address).resolve().as_uri()
        self.driver.get("about:blank")
        self.driver.get(address + (f"#{fragment}" if fragment else ""))
        self.wait("document.body.dataset.ready === 'true'")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def value(self, expression):
        return self.script(f"return {expression};")

    def wait(self, condition):
        WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(lambda _: self.value(condition), condition)

    def press(self, *keys):
        """To whatever has the focus."""
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def click(self, selector):
        self.script("document.querySelector(arguments[0]).click();", selector)

    def walk(self):
        """Where the walk is."""
        return json.loads(self.value("JSON.stringify({...document.getElementById('walk').dataset})"))

    def console(self):
        """What was complained about since the last time."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        self.driver.save_screenshot(str(path))

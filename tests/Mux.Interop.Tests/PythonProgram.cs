using System.Diagnostics;

namespace Mux.Interop.Tests;

/// <summary>A program of tests/interop. Ends with its standard input, so also with the test that started it.</summary>
internal sealed class PythonProgram : IAsyncDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(120);

    private readonly Process _process;

    private PythonProgram(Process process) => _process = process;

    /// <summary>Why no program can run; null if one can.</summary>
    public static string? WhyNot { get; } = Look();

    public static PythonProgram Start(string name, params string[] arguments) => Start(name, arguments, ("PYTHONDONTWRITEBYTECODE", "1"));

    private static PythonProgram Start(string name, string[] arguments, (string Name, string Value) variable)
    {
        var start = new ProcessStartInfo("python3") { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        start.Environment[variable.Name] = variable.Value;
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "interop", name));
        foreach (var argument in arguments) start.ArgumentList.Add(argument);
        return new PythonProgram(Process.Start(start)!);
    }

    /// <summary>A client that has a shared key.</summary>
    /// <param name="key">As NAME:HEX.</param>
    /// <param name="arguments">Of client.py.</param>
    public static PythonProgram StartClient(string key, params string[] arguments) => Start("client.py", arguments, ("MUX_KEY", key));

    public async Task<string> ReadLineAsync() => await _process.StandardOutput.ReadLineAsync().WaitAsync(s_limit) ?? $"The program ended: {await _process.StandardError.ReadToEndAsync()}";

    public async Task<string> TellAsync(string command)
    {
        await _process.StandardInput.WriteLineAsync(command);
        return await ReadLineAsync();
    }

    /// <summary>Waits for its end.</summary>
    /// <returns>What it wrote, and its exit code.</returns>
    public async Task<(string Text, int Code)> RunAsync()
    {
        var errors = _process.StandardError.ReadToEndAsync();
        var text = await _process.StandardOutput.ReadToEndAsync().WaitAsync(s_limit);
        await _process.WaitForExitAsync().WaitAsync(s_limit);
        return (text + await errors, _process.ExitCode);
    }

    public ValueTask DisposeAsync()
    {
        if (!_process.HasExited) _process.Kill();
        _process.Dispose();
        return default;
    }

    private static string? Look()
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo("python3", ["-c", "import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)"]));
            process!.WaitForExit();
            return process.ExitCode == 0 ? null : "python3 is older than 3.11.";
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "python3 is not installed.";
        }
    }
}

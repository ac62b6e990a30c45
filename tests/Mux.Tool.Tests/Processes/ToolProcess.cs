using System.Diagnostics;
using System.Runtime.InteropServices;
using Mux.TestSupport.Transports;

namespace Mux.Tool.Tests.Processes;

/// <summary>The tool as users run it: a process from the build output, its output redirected. Ended at the end of the test, whatever happened.</summary>
internal sealed partial class ToolProcess : IDisposable
{
    private const int Terminate = 15;

    private readonly Process _process;
    private readonly Task<string> _errors;
    private readonly List<string> _output = [];

    private ToolProcess(Process process)
    {
        _process = process;
        _errors = process.StandardError.ReadToEndAsync();
    }

    /// <summary>Completes when every process that shares its standard error stream has ended: it and the server it started.</summary>
    public Task AllEnded => _errors;

    public static ToolProcess Start(params string[] arguments) => StartIn(Environment.CurrentDirectory, arguments);

    /// <summary>Starts it in a folder.</summary>
    public static ToolProcess StartIn(string folder, params string[] arguments)
    {
        var name = OperatingSystem.IsWindows() ? "Mux.Tool.exe" : "Mux.Tool";
        return Start(new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, name), arguments), folder);
    }

    /// <summary>Starts it with its output somewhere else, as a shell does.</summary>
    /// <param name="output">What the shell does with the output, such as <c>> /dev/full</c>.</param>
    /// <param name="arguments">The arguments.</param>
    public static ToolProcess StartInShell(string output, params string[] arguments)
    {
        var tool = Path.Combine(AppContext.BaseDirectory, "Mux.Tool");
        string[] script = ["-c", $"exec \"$0\" \"$@\" {output}", tool, .. arguments];
        return Start(new ProcessStartInfo("/bin/sh", script), Environment.CurrentDirectory);
    }

    private static ToolProcess Start(ProcessStartInfo start, string folder)
    {
        start.WorkingDirectory = folder;
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.Environment.TryAdd("DOTNET_ROOT", Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "../../..")));
        return new ToolProcess(Process.Start(start)!);
    }

    /// <summary>Runs it to its end.</summary>
    public static async Task<ToolResult> RunAsync(params string[] arguments)
    {
        using var tool = Start(arguments);
        return await tool.EndAsync();
    }

    /// <summary>Runs one to its end that plays a whole catalogue of cases.</summary>
    public static async Task<ToolResult> RunCatalogueAsync(params string[] arguments)
    {
        using var tool = Start(arguments);
        return await tool.EndOfCatalogueAsync();
    }

    /// <summary>Starts a server.</summary>
    /// <returns>It and its address; it listens.</returns>
    public static async Task<(ToolProcess Server, string Address)> ServeAsync(params string[] arguments)
    {
        var server = Start(["serve", "--listen", "mux://127.0.0.1:0", .. arguments]);
        return (server, await server.ReadLineAsync("the address"));
    }

    /// <summary>The next line of the standard output.</summary>
    public async Task<string> ReadLineAsync(string what)
    {
        var line = await _process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().Within(what);
        Assert.True(line is not null, $"The tool ended before it printed {what}.");
        _output.Add(line);
        return line;
    }

    /// <summary>Waits for its end.</summary>
    public Task<ToolResult> EndAsync() => EndAsync(Awaited.Patience);

    /// <summary>Waits for the end of one that plays all cases of a catalogue and prints them when they are done: 20 s of work, of many processes on a loaded machine.</summary>
    public Task<ToolResult> EndOfCatalogueAsync() => EndAsync(10 * Awaited.Patience);

    /// <summary>Stops to read its output, as <c>head</c> does when it has enough, and waits for its end.</summary>
    /// <returns>Its end, with the lines that were read before.</returns>
    public async Task<ToolResult> CloseOutputAsync()
    {
        _process.StandardOutput.Close();
        var errors = await _errors.Within("the tool to end after its output was closed");
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).Within("the tool to end");
        return new ToolResult(_process.ExitCode, [.. _output], Lines(errors));
    }

    /// <summary>Waits for the end of one that builds a project, for which a loaded machine takes its time.</summary>
    public Task<ToolResult> EndOfBuildAsync() => EndAsync(10 * Awaited.Patience);

    private async Task<ToolResult> EndAsync(TimeSpan patience)
    {
        var output = await _process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken).Within("the tool to end", patience);
        var errors = await _errors.Within("the tool and its server to end", patience);
        await _process.WaitForExitAsync(TestContext.Current.CancellationToken).Within("the tool to end", patience);
        return new ToolResult(_process.ExitCode, [.. _output, .. Lines(output)], Lines(errors));
    }

    /// <summary>Waits for the end of one that takes its time, but prints a line now and then.</summary>
    public async Task<ToolResult> EndByLinesAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().Within("the next line of the tool") is { } line) _output.Add(line);
        return await EndAsync();
    }

    /// <summary>Asks it to end.</summary>
    public void SendTerminate() => Assert.Equal(0, SendSignal(_process.Id, Terminate));

    /// <summary>Ends it, and nothing that it started, without asking.</summary>
    public void Kill() => _process.Kill();

    /// <summary>Writes to its standard input, without an end of line.</summary>
    public void Write(string text)
    {
        _process.StandardInput.Write(text);
        _process.StandardInput.Flush();
    }

    public void CloseInput() => _process.StandardInput.Close();

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    internal static string[] Lines(string text) => text.ReplaceLineEndings("\n").TrimEnd('\n') is { Length: > 0 } lines ? lines.Split('\n') : [];

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int SendSignal(int process, int signal);
}

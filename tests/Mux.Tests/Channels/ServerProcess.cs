using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Channels;

/// <summary>A server in a process of its own, to be killed or suspended. It answers questions with their id, and those with a negative one never.</summary>
internal sealed partial class ServerProcess : IAsyncDisposable
{
    private const int Continue = 18;
    private const int Stop = 19;

    private readonly Process _process;

    private ServerProcess(Process process, MuxAddress address)
    {
        _process = process;
        Address = address;
    }

    public MuxAddress Address { get; }

    /// <summary>Whether it is gone, by whatever cause.</summary>
    public bool HasEnded => _process.HasExited;

    /// <param name="address">Where it listens.</param>
    /// <param name="maxCalls">Per connection.</param>
    /// <param name="openFiles">How many files it may have open; null for as many as this process.</param>
    /// <param name="isPortable">Whether it uses the engine that runs everywhere.</param>
    public static async Task<ServerProcess> StartAsync(MuxAddress address, int maxCalls, int? openFiles = null, bool isPortable = false)
    {
        var program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");
        string[] arguments = [address.ToString(), maxCalls.ToString(CultureInfo.InvariantCulture), .. isPortable ? ["portable"] : Array.Empty<string>()];
        if (openFiles is { } limit) (program, arguments) = ("/bin/sh", ["-c", $"ulimit -n {limit} && exec \"$0\" \"$@\"", program, .. arguments]);
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        var process = Process.Start(start)!;
        var line = await process.StandardOutput.ReadLineAsync().Within("the address of the server process");
        return new ServerProcess(process, MuxAddress.Parse(line ?? throw new InvalidOperationException("The server process ended without listening.")));
    }

    /// <summary>The process opens files until it may open no more.</summary>
    public Task TakeHandlesAsync() => CommandAsync("take", "taken");

    /// <summary>It closes them.</summary>
    public Task FreeHandlesAsync() => CommandAsync("free", "freed");

    /// <summary>The first accept of the process that failed, and its error.</summary>
    public async Task<string> FailedAcceptAsync() => await _process.StandardOutput.ReadLineAsync().Within("an accept that fails") ?? "The process has ended.";

    /// <summary>SIGKILL: the process gets no chance to say anything.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync().Within("the end of the killed process");
    }

    /// <summary>The process runs no code until <see cref="Resume"/>, and its connections stay up.</summary>
    public Task SuspendAsync()
    {
        Send(Stop);
        return Eventually.Holds(IsStopped, "every thread of the server process standing still"); // the signal reaches them one by one
    }

    public void Resume() => Send(Continue);

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            Resume();
            _process.StandardInput.Close();
            await _process.WaitForExitAsync().Within("the end of the server process");
        }

        // Who has asked a process for its streams owns them.
        _process.StandardInput.Dispose();
        _process.StandardOutput.Dispose();
        _process.Dispose();
    }

    private async Task CommandAsync(string command, string answer)
    {
        await _process.StandardInput.WriteLineAsync(command);
        Assert.Equal(answer, await _process.StandardOutput.ReadLineAsync().Within($"the answer to '{command}'"));
    }

    // The state of a thread is the letter behind its name, which stands in parentheses: T is stopped.
    private bool IsStopped() => Directory.EnumerateDirectories($"/proc/{_process.Id}/task")
        .All(thread => File.ReadAllText(Path.Combine(thread, "stat")) is var stat && stat[stat.LastIndexOf(')') + 2] == 'T');

    private void Send(int signal)
    {
        if (Kill(_process.Id, signal) != 0) throw new Win32Exception(Marshal.GetLastPInvokeError());
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int Kill(int process, int signal);
}

using System.Diagnostics;
using System.Globalization;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Execution;

/// <summary>A server whose handlers block, and the one that it calls, each in a process of its own.</summary>
internal sealed class FrontProcess : IAsyncDisposable
{
    private static readonly string s_program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");

    private readonly string _backAddress;
    private readonly Process _front;
    private Process? _back; // null while it is away

    private FrontProcess(Process back, string backAddress, Process front, string address)
    {
        _back = back;
        _backAddress = backAddress;
        _front = front;
        Address = address;
    }

    /// <summary>Of the front.</summary>
    public string Address { get; }

    /// <param name="maxThreads">For handlers, and for the code after calls, in a process whose .NET thread pool is blocked; null for the default and a pool that is not.</param>
    public static async Task<FrontProcess> StartAsync(int? maxThreads = null)
    {
        var (back, backAddress) = await StartAsync("back");
        var (front, address) = await StartAsync(["front", backAddress, .. maxThreads is { } limit ? [limit.ToString(CultureInfo.InvariantCulture)] : Array.Empty<string>()]);
        return new FrontProcess(back, backAddress, front, address);
    }

    /// <summary>Ends the handlers that sleep.</summary>
    public Task WakeAsync() => _front.StandardInput.WriteLineAsync("wake");

    /// <summary>Ends the server that the front calls.</summary>
    public async Task StopBackAsync()
    {
        await EndAsync(_back!);
        _back = null;
    }

    /// <summary>Starts another one in its place.</summary>
    public async Task StartBackAsync() => (_back, _) = await StartAsync("back", _backAddress);

    /// <summary>The next event that the front logs: its name and text.</summary>
    public async Task<string> NextEventAsync() => await _front.StandardOutput.ReadLineAsync().Within("an event of the front") ?? "The front has ended.";

    public async ValueTask DisposeAsync()
    {
        await EndAsync(_front);
        if (_back is not null) await EndAsync(_back);
    }

    private static async Task EndAsync(Process process)
    {
        process.StandardInput.Close();
        await process.WaitForExitAsync().Within("the end of a process");
        process.StandardInput.Dispose();
        process.StandardOutput.Dispose();
        process.Dispose();
    }

    private static async Task<(Process Process, string Address)> StartAsync(params string[] arguments)
    {
        var process = Process.Start(new ProcessStartInfo(s_program, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        var line = await process.StandardOutput.ReadLineAsync().Within("the address of a process");
        return (process, line ?? throw new InvalidOperationException("The process ended without listening."));
    }
}

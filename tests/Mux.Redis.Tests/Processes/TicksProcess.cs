using System.Diagnostics;
using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Redis.Tests.Processes;

/// <summary>A server with shared topics in a process of its own, and a channel to it.</summary>
internal sealed class TicksProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly MuxChannel _channel;

    private TicksProcess(Process process, string address)
    {
        _process = process;
        _channel = MuxChannel.Create(address);
        Ticks = _channel.CreateProxy<ITicks>();
    }

    public ITicks Ticks { get; }

    public static async Task<TicksProcess> StartAsync(RedisProcess redis)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");
        var process = Process.Start(new ProcessStartInfo(program, ["shared", redis.Address]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        string? line = await process.StandardOutput.ReadLineAsync().Within("the address of a process");
        return new TicksProcess(process, line ?? throw new InvalidOperationException("The process ended without listening."));
    }

    public async Task KillAsync()
    {
        Signals.Send(_process.Id, Signals.Kill);
        await _process.WaitForExitAsync().Within("the end of a process");
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        if (!_process.HasExited) await KillAsync();
        _process.Dispose();
    }
}

using System.Collections.Concurrent;
using System.Diagnostics;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Redis.Tests.Processes;

/// <summary>A server with shared groups in a process of its own, and a client that is in its rooms.</summary>
internal sealed class RoomsProcess : IAsyncDisposable, IGuest
{
    private readonly Process _process;
    private readonly MuxChannel _channel;
    private readonly ConcurrentQueue<(int Speaker, int Number)> _heard = [];

    private RoomsProcess(Process process, string address)
    {
        _process = process;
        _channel = MuxChannel.Create(new MuxChannelOptions { Address = address, KeepConnected = true, MaxCallsPerConnection = 10_000 }.AddService<IGuest>(this));
        Rooms = _channel.CreateProxy<IRooms>();
    }

    public IRooms Rooms { get; }

    public static async Task<RoomsProcess> StartAsync(string redis)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");
        var process = Process.Start(new ProcessStartInfo(program, ["rooms", redis]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        string? line = await process.StandardOutput.ReadLineAsync().Within("the address of a process");
        return new RoomsProcess(process, line ?? throw new InvalidOperationException("The process ended without listening."));
    }

    public ValueTask Heard(int speaker, int number)
    {
        _heard.Enqueue((speaker, number));
        return default;
    }

    public int[] HeardOf(int speaker) => [.. _heard.Where(one => one.Speaker == speaker).Select(static one => one.Number)];

    /// <summary>Waits until the client has heard a number.</summary>
    public Task HearsAsync(int speaker, int number) =>
        Eventually.Holds(() => HeardOf(speaker).Contains(number), () => $"{number} of {speaker}; the last is {HeardOf(speaker).LastOrDefault()}");

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

using System.Diagnostics;
using Evidence.Cold;
using Evidence.Fleets;
using Evidence.Serving;

namespace Evidence.Proxies;

/// <summary>A proxy closes connections that are silent for long: keep-alives below its limit hold them, and without them a call is told, and the next one connects again.</summary>
internal static class ProxySilence
{
    private const int LongLimit = 2_000, Below = 700; // ms: silence that a proxy allows, keep-alives. A server pings idle clients no more often than every 1.25 s
    private const int Limit = 1_000, Above = 30_000;
    private const int Held = 5_000;
    private const double Told = Limit + 500; // ms: the proxy looks at its limits when it likes
    private const int Silences = 5;

    /// <summary>Keep-alives below the limit: calls that wait for longer than it are answered, and connections without calls stay open, which the server's keep-alives see to.</summary>
    public static async Task<bool> KeptOpenAsync(ProxyKind kind)
    {
        using var server = new FleetServer(7, ["--keep-alive", $"{Below}"]);
        using var proxy = new RunningProxy(kind, [server.Port], LongLimit);
        var transport = new CountingTransport(EngineChoice.Transport(EngineChoice.All[0]));
        await using var channel = Connect(proxy, transport, Below);
        var fleet = channel.CreateProxy<IFleet>();
        int answered = 0, failed = 0;
        for (int silence = 0; silence < 2; silence++)
        {
            try
            {
                answered += await fleet.Hold(Held) == 7 ? 1 : 0;
            }
            catch (MuxException)
            {
                failed++;
            }

            await Task.Delay(Held); // the server alone sends PINGs then
        }

        return ProxyTable.Write(
            $"silence limit {LongLimit} ms, keep-alive {Below} ms: two calls that wait for {Held} ms, with as long a pause after each",
            $"{answered} answered, {failed} failed, {transport.Dials} dials",
            "both answered, one dial",
            answered == 2 && transport.Dials == 1);
    }

    /// <summary>Keep-alives above the limit: the proxy closes the connection. A call that waits fails then and not later, and calls after silence find a new connection.</summary>
    public static async Task<bool> CutAsync(ProxyKind kind)
    {
        using var server = new FleetServer(7, []);
        using var proxy = new RunningProxy(kind, [server.Port], Limit);
        var transport = new CountingTransport(EngineChoice.Transport(EngineChoice.All[0]));
        await using var channel = Connect(proxy, transport, Above);
        var fleet = channel.CreateProxy<IFleet>();
        await fleet.Who();
        long start = Stopwatch.GetTimestamp();
        MuxException? told = null;
        try
        {
            await fleet.Hold(Held);
        }
        catch (MuxException error)
        {
            told = error;
        }

        double after = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        int failed = 0;
        for (int silence = 0; silence < Silences; silence++)
        {
            await Task.Delay(Limit + 300);
            try
            {
                await fleet.Who();
            }
            catch (MuxException)
            {
                failed++;
            }
        }

        return ProxyTable.Write(
            $"silence limit {Limit} ms, keep-alive {Above} ms: a call that waits for {Held} ms, then {Silences} calls with {Limit + 300} ms of silence before each",
            $"the one {(told is null ? "answered" : $"{told.Status} {told.Execution}")} after {after:F0} ms; {failed} of the others failed, {transport.Dials} dials",
            $"told within {Told:F0} ms, no other fails",
            told is { Status: MuxStatus.Unavailable, Execution: MuxExecution.MayHaveExecuted } && after <= Told && failed == 0);
    }

    private static MuxChannel Connect(RunningProxy proxy, CountingTransport transport, int keepAlive) => MuxChannel.Create(new MuxChannelOptions
    {
        Address = proxy.Address,
        Transport = transport,
        KeepAliveTime = TimeSpan.FromMilliseconds(keepAlive),
    });
}

using System.Diagnostics;
using System.Globalization;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Faults;

/// <summary>
/// One exchange of twenty calls of all kinds (<see cref="MixedExchange"/>), in virtual time, with a fault at every byte of both directions, the handshake's included. Whatever the byte, each
/// call ends once, in time, and as the history of the server says; nothing is left behind, and another channel does not notice.
/// </summary>
/// <remarks>A failure names its fault, direction and offset; MUX_TEST_CUT=Stall,client,123 runs that one alone, MUX_TEST_CUT=Stall,client all of a direction.</remarks>
[Collection(nameof(EndToEndTests))]
public sealed class CutPointTests
{
    /// <summary>What an exchange of less than 8 KiB may allocate on either side, whatever the corrupted length of a frame or message says.</summary>
    private const long MaxAllocated = 4 * 1024 * 1024;

    /// <summary>Times that an exchange which allocates too much is run: whatever else the process does is counted, too, but what the fault causes is allocated each time.</summary>
    private const int MaxTries = 3;

    private const int MaxFailures = 8;

    [Fact]
    public Task The_exchange_has_the_same_frames_each_time_and_is_small() => OwnThread.Run(() =>
    {
        using var scene = NewScene();
        var first = Record(scene);
        var second = Record(scene);
        Assert.InRange(first.ByClient.Count, 500, 4096);
        Assert.InRange(first.ByServer.Count, 500, 4096);
        Assert.Equal(FramesOf(first.ByClient), FramesOf(second.ByClient));
        Assert.Equal(FramesOf(first.ByServer), FramesOf(second.ByServer));
        TestContext.Current.TestOutputHelper?.WriteLine($"The client sends {first.ByClient.Count} bytes, the server {first.ByServer.Count}.");
    });

    [Theory]
    [InlineData(OffsetFault.Cut, true)]
    [InlineData(OffsetFault.Cut, false)]
    [InlineData(OffsetFault.Stall, true)]
    [InlineData(OffsetFault.Stall, false)]
    [InlineData(OffsetFault.Block, true)]
    [InlineData(OffsetFault.Block, false)]
    [InlineData(OffsetFault.Corrupt, true)]
    [InlineData(OffsetFault.Corrupt, false)]
    public Task A_fault_at_any_byte_is_told_truly_and_harms_nobody_else(OffsetFault fault, bool byClient) => OwnThread.Run(() =>
    {
        var (first, end) = Chosen(fault, byClient);
        var failures = new List<string>();
        var told = new Dictionary<string, int>(); // how often each end was told
        var scene = NewScene();
        long start = Stopwatch.GetTimestamp();
        try
        {
            var recorded = Record(scene);
            end = Math.Min(end, LengthOf(byClient ? recorded.ByClient : recorded.ByServer));
            for (int offset = first; offset < end && failures.Count < MaxFailures; offset++)
            {
                try
                {
                    Run(scene, fault, byClient, offset, told);
                }
                catch (Exception error)
                {
                    failures.Add($"MUX_TEST_CUT={fault},{(byClient ? "client" : "server")},{offset}: {error.Message}");
                    scene = NewScene(); // the old one may be stuck
                }
            }
        }
        finally
        {
            if (failures.Count == 0) scene.Dispose();
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{end - first} offsets in {Stopwatch.GetElapsedTime(start).TotalSeconds:F1} s: {string.Join(", ", told.OrderByDescending(end => end.Value).Select(end => $"{end.Key} {end.Value}"))}.");
        Assert.True(failures.Count == 0, string.Join("\n\n", failures));
        if (end - first == 1) return; // one that was asked for
        string[] expected = fault == OffsetFault.Corrupt ? ["Ok", "Unavailable/MayHaveExecuted"] : ["Ok", "NotFound/Executed", "Cancelled", "DeadlineExceeded/MayHaveExecuted", "Unavailable/MayHaveExecuted"];
        Assert.Subset(told.Keys.ToHashSet(), expected.ToHashSet());
    });

    /// <summary>Without LEASE, which a server tells beside its answers when a look of the process, in real time, has come before them.</summary>
    private static IEnumerable<string> FramesOf(SentBytes sent) => WireFrames.Describe(sent.Bytes).Where(static frame => !IsLease(frame)).Order();

    /// <inheritdoc cref="FramesOf"/>
    private static int LengthOf(SentBytes sent) => sent.Count - (WireFrames.Describe(sent.Bytes).Count(IsLease) * (FrameHeader.Size + LeaseFrame.Length));

    private static bool IsLease(string frame) => frame.StartsWith($"{FrameKind.Lease} ", StringComparison.Ordinal);

    private static VirtualScene NewScene() => new(largestDelivery: 97);

    private static MixedExchange Record(VirtualScene scene)
    {
        var exchange = new MixedExchange(scene, new SentBytes(), new SentBytes());
        exchange.Run();
        exchange.AssertUndisturbed();
        return exchange;
    }

    private static void Run(VirtualScene scene, OffsetFault fault, bool byClient, int offset, Dictionary<string, int> told)
    {
        var exchange = Play(scene, fault, byClient, offset, out long allocated);
        for (int tries = 1; tries < MaxTries && allocated >= MaxAllocated; tries++) exchange = Play(scene, fault, byClient, offset, out allocated);
        Assert.True(allocated < MaxAllocated, $"{allocated} bytes were allocated.");
        if (fault == OffsetFault.Corrupt) exchange.AssertNotMadeUp();
        else exchange.AssertTrue();
        foreach (var call in exchange.Calls)
        {
            var end = call.Execution is null ? $"{call.Status}" : $"{call.Status}/{call.Execution}";
            told[end] = told.GetValueOrDefault(end) + 1;
        }
    }

    private static MixedExchange Play(VirtualScene scene, OffsetFault fault, bool byClient, int offset, out long allocated)
    {
        // Any bits of a byte are hit sooner or later, and each byte in the same way in each run.
        var hit = new SentBytes { Fault = fault, Offset = offset, Mask = (byte)(offset % 3 == 0 ? 0xFF : 1 << (offset % 8)) };
        var exchange = new MixedExchange(scene, byClient ? hit : new SentBytes(), byClient ? new SentBytes() : hit);
        long before = GC.GetTotalAllocatedBytes();
        exchange.Run();
        allocated = GC.GetTotalAllocatedBytes() - before;
        Assert.True(hit.IsHit, "The byte was never sent.");
        return exchange;
    }

    private static (int First, int End) Chosen(OffsetFault fault, bool byClient)
    {
        if (Environment.GetEnvironmentVariable("MUX_TEST_CUT") is not { Length: > 0 } text) return (0, int.MaxValue);
        var parts = text.Split(',');
        if (parts[0] != fault.ToString() || parts[1] != (byClient ? "client" : "server")) Assert.Skip("MUX_TEST_CUT asks for another fault.");
        if (parts.Length < 3) return (0, int.MaxValue);
        int offset = int.Parse(parts[2], CultureInfo.InvariantCulture);
        return (offset, offset + 1);
    }
}

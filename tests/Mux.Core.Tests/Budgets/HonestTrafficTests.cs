using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>What a peer does that plays by the rules, as fast as it can: the clock stands still, so that nothing comes back by time.</summary>
public sealed class HonestTrafficTests
{
    private const int Steps = 60_000;

    [Fact]
    public void Calls_cancels_streams_large_messages_and_questions_in_any_mixture_use_no_budget_up() => Seeds.ForEach(8, seed =>
    {
        var random = new Random(seed);
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Budgets = EffectiveLimits.Of(new MuxServerOptions()).Budgets, Work = work });
        var echo = peer.Methods.Add("test/Echo");
        echo.Handler = body => body;
        var slow = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Methods.Add("test/Upload", MethodShape.RequestStream);
        peer.Define(0, "test/Echo");
        peer.Define(1, "test/Slow");
        peer.Define(2, "test/Upload", MethodShape.RequestStream);
        peer.RequestStream(new CallId(1, 1), 2);
        peer.Link.KeepsSent = false;
        var generations = new uint[10];
        int used = 0; // a new slot only when all lower ones are
        byte[] large = new byte[20_000];
        double cancelled = random.NextDouble() * 0.85;
        int questions = 0;
        for (int step = 0; step < Steps; step++)
        {
            int slot = random.Next(Math.Min(used + 1, generations.Length));
            used = Math.Max(used, slot + 1);
            var id = new CallId(slot + 2, ++generations[slot]);
            switch (random.Next(10))
            {
                case < 4:
                    peer.Request(id, 1, []);
                    if (random.NextDouble() < cancelled) peer.SendFrame(FrameKind.Cancel, id, [0]);
                    slow.Pending[^1].Reply([]);
                    if (random.Next(4) == 0) peer.SendFrame(FrameKind.Cancel, id, [0]); // crosses with the answer
                    break;
                case < 8:
                    peer.Request(id, 0, new byte[random.Next(50)]);
                    if (random.Next(20) == 0) peer.SendFrame(FrameKind.Ping, default, new byte[8]);
                    break;
                default:
                    peer.Begin(FrameKind.Request, id, large.Length, [0, 0, 0, 0]);
                    peer.Continue(FrameKind.Request, id, large, isLast: true);
                    work.RunAll(); // a large request is answered by another thread
                    peer.Credit(FrameKind.Credit, default, large.Length); // for the reply
                    break;
            }

            if (random.Next(3) == 0 && questions++ < 900) peer.SendFrame(FrameKind.RequestItem, new CallId(1, 1), [1]); // as many as the first window takes
            Assert.True(peer.Owner.End is null, peer.Owner.End?.ToString());
            if (step % 1_000 != 0) continue;
            slow.Pending.Clear();
            slow.Bodies.Clear();
            slow.Tokens.Clear();
            echo.Bodies.Clear();
        }

        peer.End();
    });

    [Fact]
    public void A_reader_of_small_items_in_the_smallest_window_earns_the_credit_that_it_grants() => Seeds.ForEach(4, seed =>
    {
        var random = new Random(seed);
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Budgets = EffectiveLimits.Of(new MuxServerOptions()).Budgets }, PeerSettings.Default with { StreamCredit = 1_024 });
        var method = peer.Methods.Add("test/Echo");
        method.Handler = _ => new byte[random.Next(64, 200)]; // stands for the items of half a window
        peer.Define(0, "test/Echo");
        peer.Methods.Add("test/Items", MethodShape.ResponseStream);
        peer.Define(1, "test/Items", MethodShape.ResponseStream);
        peer.Request(new CallId(1, 1), 1, []);
        peer.Link.KeepsSent = false;
        for (uint i = 1; i <= 50_000; i++)
        {
            peer.Request(new CallId(2, i), 0, []);
            peer.Credit(FrameKind.ResponseCredit, new CallId(1, 1), 512);
            peer.Credit(FrameKind.ResponseCredit, new CallId(1, 1), 512);
        }

        Assert.True(peer.Owner.End is null, peer.Owner.End?.ToString());
        peer.End();
    });
}

using System.Collections;
using System.Reflection;
using Mux.Backplanes;
using Mux.TestSupport.Backplanes;
using Mux.Topics;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>What a topic of several servers holds, and who delivers, while items come faster than they leave.</summary>
public sealed class SharedTopicLoadTests
{
    private readonly Lock _gate = new();
    private readonly TopicCounters _counters = new("test");
    private long _next;

    [Fact]
    public void What_a_backplane_does_not_number_is_bounded()
    {
        const int Most = 8_192, Items = 2 * Most;
        int delivered = 0;
        var sut = Start(_ => delivered++);
        for (int i = 1; i <= Items; i++)
        {
            lock (_gate) sut.AddLocked(new TopicItem<Numbered>(new Numbered()), i);
            Come(sut, origin: 1); // it is back, and OnPublished never comes
        }

        Assert.Equal(Items, delivered);
        object unnumbered = typeof(SharedTopic<Numbered>).GetField("_unnumbered", BindingFlags.NonPublic | BindingFlags.Instance)!.GetValue(sut)!;
        Assert.Equal(Most, ((ICollection)unnumbered).Count);
    }

    private SharedTopic<Numbered> Start(Action<long> deliver)
    {
        var share = new TopicShare<Numbered>(new MemoryBackplane(new MemoryHub()), new NumberedCodec(), 1, 0, _counters);
        var sut = new SharedTopic<Numbered>("a", share, _gate, (_, number) => deliver(number));
        sut.Start(0);
        sut.OnSynced(new BackplaneSnapshot(0, []));
        return sut;
    }

    /// <summary>The next item comes by the backplane.</summary>
    private void Come(SharedTopic<Numbered> sut, ulong origin)
    {
        byte[] message = TopicEnvelope.Create(origin, new byte[16]);
        TopicEnvelope.Number(message, ++_next);
        sut.OnMessage(new BackplaneMessage(_next, message));
    }
}

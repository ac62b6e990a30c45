using System.Collections;
using System.Reflection;
using Mux.Backplanes;
using Mux.Push;
using Mux.TestSupport.Backplanes;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>What a topic of several servers holds, and who delivers, while items come faster than they leave.</summary>
public sealed class SharedTopicLoadTests
{
    private readonly Lock _gate = new();
    private readonly TopicCounters _counters = new("test");
    private readonly StepQueue _work = new();
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

    [Fact]
    public void A_publisher_delivers_for_others_at_most_so_many_items_and_the_rest_comes_in_order()
    {
        const int Items = 1_000, AtOnce = 32;
        var numbers = new List<long>();
        SharedTopic<Numbered>? sut = null;
        sut = Start(number =>
        {
            numbers.Add(number);
            if (numbers.Count < Items) Come(sut!, origin: 2); // as fast as it is delivered
        });
        Come(sut, origin: 2);
        Assert.Equal(AtOnce, numbers.Count);
        _work.RunOne();
        Assert.Equal(2 * AtOnce, numbers.Count);
        _work.RunAll();
        Assert.Equal(Enumerable.Range(1, Items), numbers.Select(number => (int)number));
    }

    private SharedTopic<Numbered> Start(Action<long> deliver)
    {
        var share = new TopicShare<Numbered>(new MemoryBackplane(new MemoryHub()), new NumberedCodec(), 1, 0, _counters, _work);
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

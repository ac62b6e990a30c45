using Mux.Push;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>A reader that takes encoded items, as a call does that sends them.</summary>
internal sealed class PassingReader(Topic<byte[]> topic) : TopicReader<byte[]>(topic, codec: 0)
{
    public List<byte[]> Got { get; } = [];

    public override void Run()
    {
        var portion = default(TopicPortion<byte[]>);
        while (Topic.Take(this, portion, out int count) == TopicNews.Items)
        {
            for (int i = 0; i < count; i++) Got.Add(portion[i]!.BodyFor(0));
        }

        Topic.TryIdle(this);
    }

    public override void OnTooSlow()
    {
        // It may miss items.
    }
}

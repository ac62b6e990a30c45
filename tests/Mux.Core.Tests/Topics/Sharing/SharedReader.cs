using Mux.Push;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>A reader that takes whatever there is when it is run.</summary>
internal sealed class SharedReader(Topic<Numbered> topic, int codec = 0) : TopicReader<Numbered>(topic, codec)
{
    public List<(int Publisher, int Index, long Number)> Got { get; } = [];

    /// <summary>What it was told of a gap; null if nothing.</summary>
    public string? Failure { get; private set; }

    public override void Run()
    {
        var portion = default(TopicPortion<Numbered>);
        while (true)
        {
            switch (Topic.Take(this, portion, out int count))
            {
                case TopicNews.Items:
                    for (int i = 0; i < count; i++) Got.Add((portion[i]!.Value.Publisher, portion[i]!.Value.Index, portion[i]!.Value.Sequence));
                    break;
                case TopicNews.Nothing:
                    if (Topic.TryIdle(this)) return;
                    break;
                case TopicNews.Gap:
                    Failure = Resumption!.Failure().Message;
                    return;
                default:
                    return;
            }
        }
    }

    public override void OnTooSlow()
    {
        // It may miss items.
    }
}

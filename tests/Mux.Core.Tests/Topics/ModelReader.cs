using Mux.Push;

namespace Mux.Core.Tests.Topics;

/// <summary>A reader that can be stalled, and checks the order of what it gets.</summary>
internal sealed class ModelReader(Topic<int> topic) : TopicReader<int>(topic, codec: -1)
{
    public List<int> Got { get; } = [];

    public bool IsStalled { get; set; }

    public bool IsTooSlow { get; private set; }

    /// <summary>True if it is idle, or has left: nothing waits for it.</summary>
    public bool IsDone { get; private set; }

    public override void Run()
    {
        var portion = default(TopicPortion<int>);
        IsDone = false;
        if (IsStalled)
        {
            HasWaited = true;
            Topic.AddWaiting(this);
            return;
        }

        while (true)
        {
            switch (Topic.Take(this, portion, out int count))
            {
                case TopicNews.Items:
                    for (int i = 0; i < count; i++) Got.Add(portion[i]!.Value);
                    break;
                case TopicNews.TooMany:
                    IsTooSlow = true;
                    IsDone = true;
                    Topic.Leave(this);
                    return;
                case TopicNews.Nothing:
                    if (!Topic.TryIdle(this)) break;
                    IsDone = true;
                    return;
                default:
                    IsDone = true;
                    return;
            }
        }
    }

    /// <summary>Its peer reads again.</summary>
    public void Resume()
    {
        IsStalled = false;
        if (IsDone || IsTooSlow) return;
        Topic.RemoveWaiting(this);
        Run();
    }

    public override void OnTooSlow()
    {
        IsTooSlow = true;
        IsDone = true;
        Topic.Leave(this);
    }
}

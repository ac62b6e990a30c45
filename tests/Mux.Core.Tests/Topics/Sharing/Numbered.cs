namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>An item that knows its publisher and its number.</summary>
internal sealed class Numbered : IMuxTopicItem
{
    public int Publisher { get; init; }

    public int Index { get; init; }

    public long Sequence { get; set; }
}

namespace Mux.Push;

/// <summary>
/// How far a topic has got with the items of each server. What is not beyond the mark of its server has been delivered, or came too late: so items come at most
/// once, and those of a server in order, whatever a backplane does while it is interrupted. Guarded by its owner's lock.
/// </summary>
internal sealed class OriginMarks
{
    /// <summary>
    /// Servers that are remembered. A topic with more of them that publish forgets one that has been silent; an item of it that comes twice would then be
    /// delivered twice.
    /// </summary>
    private const int Most = 256;

    private readonly Dictionary<ulong, (long Count, long Used)> _marks = [];
    private long _uses;

    /// <summary>Moves the mark of a server to an item.</summary>
    /// <returns>False if the item is not beyond it.</returns>
    public bool TryAdvance(ulong origin, long count)
    {
        if (_marks.TryGetValue(origin, out var mark) && count <= mark.Count) return false;
        if (_marks.Count == Most && !_marks.ContainsKey(origin)) _marks.Remove(_marks.MinBy(static one => one.Value.Used).Key);
        _marks[origin] = (count, ++_uses);
        return true;
    }
}

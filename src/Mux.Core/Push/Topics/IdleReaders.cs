namespace Mux.Push;

/// <summary>The readers of a topic that have got everything. Guarded by the lock of the topic.</summary>
internal sealed class IdleReaders<T>
{
    private TopicReader<T>? _first;
    private TopicReader<T>? _last;
    private long _number = 1; // of the list: a reader with another number is not in it

    public int Count { get; private set; }

    public void Add(TopicReader<T> reader)
    {
        (reader.Next, reader.Before, reader.IdleList) = (null, _last, _number);
        if (_last is null) _first = reader;
        else _last.Next = reader;
        _last = reader;
        Count++;
    }

    /// <summary>Takes all of them, linked by <see cref="SweptReader.Next"/>, in one step: their numbers say that they are in no list anymore.</summary>
    public Chain TakeAll()
    {
        var all = new Chain(_first, _last, Count);
        (_first, _last, Count) = (null, null, 0);
        _number++;
        return all;
    }

    /// <summary>Takes out one of them.</summary>
    /// <returns>False if it is not idle.</returns>
    public bool Remove(TopicReader<T> reader)
    {
        if (reader.IdleList != _number) return false;
        var next = (TopicReader<T>?)reader.Next;
        if (reader.Before is null) _first = next;
        else reader.Before.Next = next;
        if (next is null) _last = reader.Before;
        else next.Before = reader.Before;
        (reader.Next, reader.Before, reader.IdleList) = (null, null, 0);
        Count--;
        return true;
    }

    /// <summary>Readers in a row.</summary>
    internal readonly record struct Chain(TopicReader<T>? First, TopicReader<T>? Last, int Count);
}

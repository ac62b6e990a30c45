namespace Mux.Push;

/// <summary>A reader of one topic: where it is, and whether it waits for items. What is not said otherwise is guarded by the lock of the topic.</summary>
internal abstract class TopicReader<T>(Topic<T> topic, int codec) : SweptReader
{
    protected const string TooSlow =
        "The subscriber is too slow: more items wait for it than Queue of the topics allows, and WhenSlow says that it may miss none.";

    public Topic<T> Topic => topic;

    /// <summary>Number of the codec that encodes items for it; -1 if it takes the values.</summary>
    public int Codec => codec;

    /// <summary>Where it continues; null if it takes what comes. Set before it joins.</summary>
    public TopicResumption? Resumption { get; init; }

    /// <summary>Asks whether it can continue; null if its topic knows. Set before it runs, and disposed when it leaves.</summary>
    public IDisposable? Question { get; set; }

    /// <summary>Place of the item that it gets next.</summary>
    public long At { get; set; }

    /// <summary>Place of the first item that was not retained for it when it joined: those before it are not replaced by later ones.</summary>
    public long JoinedAt { get; set; }

    /// <summary>The reader before it in the list of idle readers.</summary>
    public TopicReader<T>? Before { get; set; }

    /// <summary>Number of the list of idle readers that it was put into last.</summary>
    public long IdleList { get; set; }

    /// <summary>True from when it has joined its topic until it has left it.</summary>
    public bool IsJoined { get; set; }

    /// <summary>True if it has waited for its peer since it last took items. Owned by the thread that runs it.</summary>
    public bool HasWaited { get; set; }

    /// <summary>It waits for its peer, and more items wait for it than may. Any thread.</summary>
    public abstract void OnTooSlow();
}

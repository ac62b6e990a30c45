namespace Mux.Push;

/// <summary>
/// A reader of a topic, or a member of groups. It is in one list at a time: that of the idle readers of its topic, or that of those which have something to do.
/// </summary>
internal abstract class SweptReader
{
    /// <summary>The next one of its list. Guarded by the lock of the list.</summary>
    public SweptReader? Next { get; set; }

    /// <summary>Does what there is to do, without waiting. Called by one thread at a time. Throws nothing.</summary>
    public abstract void Run();
}

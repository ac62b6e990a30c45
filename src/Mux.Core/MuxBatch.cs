using Mux.Runtime;

namespace Mux;

/// <summary>
/// Combines the calls that this thread makes until the batch is disposed: one send per connection instead of one per call. For code that makes many calls at
/// once, such as <c>using (MuxBatch.Begin()) foreach (var id in ids) calls.Add(directory.Find(id));</c>. Await the calls after the batch: code that blocks on
/// one of them inside it waits forever.
/// </summary>
/// <remarks>
/// Calls that your code makes after the <c>await</c> of another call are combined anyway and need no batch. Batches can be nested; the outermost one sends. A
/// batch belongs to the thread that began it.
/// </remarks>
public readonly ref struct MuxBatch : IDisposable
{
    private readonly bool _began;

    private MuxBatch(bool began) => _began = began;

    /// <summary>Begins a batch: holds back the calls of this thread.</summary>
    public static MuxBatch Begin()
    {
        SendBatch.Begin();
        return new MuxBatch(began: true);
    }

    /// <summary>Ends the batch. The outermost batch sends the combined calls. Call it once, on the thread that began the batch.</summary>
    public void Dispose()
    {
        if (_began) SendBatch.End();
    }
}

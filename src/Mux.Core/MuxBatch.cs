using Mux.Execution;

namespace Mux;

/// <summary>
/// Combines the calls that this thread makes until it is disposed: one send per connection instead of one per call. For code that makes many calls at once,
/// such as <c>using (MuxBatch.Begin()) foreach (var id in ids) calls.Add(directory.Find(id));</c>. Await the calls afterwards: blocking on one of them inside
/// the batch never returns.
/// </summary>
/// <remarks>
/// Code after the <c>await</c> of a call needs no batch, because its calls are combined anyway. Batches can be nested; the outermost one sends. A batch belongs
/// to the thread that began it.
/// </remarks>
public readonly ref struct MuxBatch : IDisposable
{
    private readonly bool _began;

    private MuxBatch(bool began) => _began = began;

    /// <summary>Begins to hold back what this thread sends.</summary>
    public static MuxBatch Begin()
    {
        SendBatch.Begin();
        return new MuxBatch(began: true);
    }

    /// <summary>Sends the combined calls. Call it once.</summary>
    public void Dispose()
    {
        if (_began) SendBatch.End();
    }
}

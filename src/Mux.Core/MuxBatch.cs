using Mux.Execution;

namespace Mux;

/// <summary>
/// Calls that a thread makes until this is disposed are sent together, one send per connection, instead of one each: for code that makes many calls at once,
/// such as <c>using (MuxBatch.Begin()) foreach (var id in ids) calls.Add(directory.Find(id));</c>. Awaiting comes afterwards; blocking on one of the calls
/// inside never returns.
/// </summary>
/// <remarks>
/// Code behind an <c>await</c> of a call needs none: what it calls is sent together anyway. May be nested; the outermost sends. Belongs to the thread that
/// began it.
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

    /// <summary>Sends it. Once.</summary>
    public void Dispose()
    {
        if (_began) SendBatch.End();
    }
}

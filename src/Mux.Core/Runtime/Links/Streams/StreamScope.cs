using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// Marks threads that are inside a member of a user's stream or pipe. A completion that runs in place there, such as the read at the other end of a pipe with
/// an inline scheduler, must not run a handler: the caller may be inside <see cref="Link.Send"/>.
/// </summary>
internal readonly ref struct StreamScope : IDisposable
{
    // The ExecutionContext of a thread on which nothing was set.
    private static readonly ExecutionContext? s_default = CaptureDefault();

    [ThreadStatic]
    private static int t_depth;

    [ThreadStatic]
    private static bool t_delivers;

    /// <summary>
    /// True if a handler may run on this thread: a pool thread or a link's delivering thread, outside all calls of streams, with the default ExecutionContext.
    /// </summary>
    public static bool MayRunHandler => t_depth == 0 && (t_delivers || Thread.CurrentThread.IsThreadPoolThread)
        && ReferenceEquals(ExecutionContext.Capture(), s_default);

    /// <summary>True if this thread is in a delivery of a link. The link needs the thread back soon and gives other links their turn.</summary>
    public static bool IsInDelivery => t_delivers;

    /// <summary>Notes that this thread is about to call a stream. Dispose the result when the call has returned.</summary>
    public static StreamScope Enter()
    {
        t_depth++;
        return default;
    }

    /// <summary>
    /// Notes that this thread is in a delivery of a link, so that the awaiting code may continue here. Dispose the result after the delivery.
    /// </summary>
    public static Delivery BeginDelivery()
    {
        var outer = new Delivery(t_delivers);
        t_delivers = true;
        return outer;
    }

    public void Dispose() => t_depth--;

    private static ExecutionContext? CaptureDefault()
    {
        ExecutionContext? captured = null;
        var thread = new Thread(() => captured = ExecutionContext.Capture());
        thread.UnsafeStart();
        thread.Join();
        return captured;
    }

    internal readonly ref struct Delivery(bool wasInOne) : IDisposable
    {
        public void Dispose() => t_delivers = wasInOne;
    }
}

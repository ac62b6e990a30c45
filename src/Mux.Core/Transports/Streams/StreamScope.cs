namespace Mux.Transports.Streams;

/// <summary>
/// Marks the threads that are inside a member of a user's stream or pipe. What completes there in place, such as the read at the other end of a pipe with an
/// inline scheduler, must not run a handler: the caller may be inside <see cref="Link.Send"/>.
/// </summary>
internal readonly ref struct StreamScope : IDisposable
{
    // The context of a thread in which nobody has set anything.
    private static readonly ExecutionContext? s_default = CaptureDefault();

    [ThreadStatic]
    private static int t_depth;

    [ThreadStatic]
    private static bool t_delivers;

    /// <summary>
    /// Whether a handler may run here: on a thread of the pool or of a link that delivers, in nobody's call of a stream and nobody's ExecutionContext.
    /// </summary>
    public static bool MayRunHandler => t_depth == 0 && (t_delivers || Thread.CurrentThread.IsThreadPoolThread)
        && ReferenceEquals(ExecutionContext.Capture(), s_default);

    /// <summary>Whether this thread is in a delivery of a link, which has it back soon and sees to it that others have their turn.</summary>
    public static bool IsInDelivery => t_delivers;

    /// <summary>This thread is about to call a stream. Disposing says that it has returned.</summary>
    public static StreamScope Enter()
    {
        t_depth++;
        return default;
    }

    /// <summary>This thread is in a delivery of a link, and what waits for that may go on here. Disposing says that it has returned.</summary>
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

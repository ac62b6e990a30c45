using System.Net;

namespace Mux.Runtime;

/// <summary>
/// Looks up host names on its own threads: .NET uses the thread pool, which may be full of blocked user code. The awaiting code continues on the thread of the
/// lookup, or on the thread that cancels it.
/// </summary>
internal static class NameLookup
{
    /// <summary>Maximum number of threads, because a silent name server holds one for half a minute. Beyond it, .NET looks up the name.</summary>
    private const int MaxThreads = 64;

    private static int s_threads;

    /// <exception cref="System.Net.Sockets.SocketException">The name cannot be resolved.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled; the lookup continues, and its result is
    /// dropped.</exception>
    public static async Task<IPAddress[]> RunAsync(string host, CancellationToken cancellationToken)
    {
        var lookup = new TaskCompletionSource<IPAddress[]>(TaskCreationOptions.None);
        using var cancellation = cancellationToken.UnsafeRegister(static lookup => ((TaskCompletionSource<IPAddress[]>)lookup!).TrySetCanceled(), lookup);
        if (!TryStart(host, lookup)) return await Dns.GetHostAddressesAsync(host, cancellationToken).ConfigureAwait(false);
        return await lookup.Task.InPlace();
    }

    private static bool TryStart(string host, TaskCompletionSource<IPAddress[]> lookup)
    {
        if (Interlocked.Increment(ref s_threads) <= MaxThreads && EngineThread.TryStart(() => Run(host, lookup), "Mux name lookup")) return true;
        Interlocked.Decrement(ref s_threads);
        return false;
    }

    private static void Run(string host, TaskCompletionSource<IPAddress[]> lookup)
    {
        IPAddress[]? addresses = null;
        Exception? failure = null;
        try
        {
            addresses = Dns.GetHostAddresses(host);
        }
        catch (Exception error)
        {
            failure = error;
        }

        Interlocked.Decrement(ref s_threads); // first: the dial continues on this thread
        if (addresses is not null) lookup.TrySetResult(addresses);
        else lookup.TrySetException(failure!);
    }
}

using System.Net;
using Mux.Execution;

namespace Mux.Transports.Sockets;

/// <summary>
/// Looks up host names on threads of its own: .NET does so on the thread pool, which may be full of blocked code. What awaits a lookup continues on its thread,
/// or on the one that cancels it.
/// </summary>
internal static class NameLookup
{
    /// <summary>A name server that does not answer keeps a thread for half a minute. What finds no thread is looked up by .NET.</summary>
    private const int MaxThreads = 64;

    private static int s_threads;

    /// <exception cref="System.Net.Sockets.SocketException">The name cannot be resolved.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired; the lookup continues, and its result is dropped.</exception>
    public static async Task<IPAddress[]> RunAsync(string host, CancellationToken cancellationToken)
    {
        var lookup = new TaskCompletionSource<IPAddress[]>(TaskCreationOptions.None);
        using var cancellation = cancellationToken.UnsafeRegister(static lookup => ((TaskCompletionSource<IPAddress[]>)lookup!).TrySetCanceled(), lookup);
        if (!TryStart(host, lookup)) return await Dns.GetHostAddressesAsync(host, cancellationToken).ConfigureAwait(false);
        return await lookup.Task.ConfigureAwait(false);
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

        Interlocked.Decrement(ref s_threads); // before the dial continues on this thread
        if (addresses is not null) lookup.TrySetResult(addresses);
        else lookup.TrySetException(failure!);
    }
}

using Mux.Contracts;
using Mux.Engine;

namespace Mux.Calls;

/// <summary>Items of a response stream that send themselves as they come, instead of being enumerated by their call.</summary>
/// <typeparam name="T">An item.</typeparam>
internal interface IPushedItems<T>
{
    /// <summary>Sends items to their end, unless the call ends before.</summary>
    /// <param name="codec">Writes the items.</param>
    /// <param name="stream">The stream that sends them.</param>
    /// <param name="onSent">Told how many items were handed to the stream, by one thread at a time; null if they are not counted.</param>
    /// <param name="cancellationToken">Fires when the call is over.</param>
    /// <returns>False if the call ended before the items did.</returns>
    /// <exception cref="MuxException">The items end in a failure.</exception>
    Task<bool> SendAsync(MessageCodec<T> codec, OutboundStream stream, Action<int>? onSent, CancellationToken cancellationToken);
}

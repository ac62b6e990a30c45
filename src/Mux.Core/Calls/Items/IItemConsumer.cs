using Mux.Runtime;

namespace Mux.Calls;

/// <summary>The owner of a stream that an <see cref="ItemReader{T}"/> reads. Only <see cref="OnEnumerated"/> may throw.</summary>
internal interface IItemConsumer
{
    /// <summary>The channel or server that is notified when the consumer waits for a thread.</summary>
    IWorkOwner WorkOwner { get; }

    /// <summary>The consumer has begun to enumerate.</summary>
    /// <returns>True if the token cancels the call, and with it the stream. Otherwise it only ends the consumer's waits.</returns>
    bool OnEnumerated(CancellationToken cancellationToken);

    /// <summary>The consumer wants no more items.</summary>
    void OnDisposed();

    /// <summary>An item could not be decoded; later ones are not read. In the turn.</summary>
    void OnUndecodable(Exception error);

    /// <summary>The consumer's code threw where no caller catches it.</summary>
    void OnUserCodeFailed(Exception error);
}

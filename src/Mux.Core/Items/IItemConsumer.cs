using Mux.Execution;

namespace Mux.Items;

/// <summary>Whose stream an <see cref="ItemReader{T,TCodec}"/> reads. No member throws but the first.</summary>
internal interface IItemConsumer
{
    /// <summary>The channel or server that hears when the consumer waits for a thread.</summary>
    IWorkOwner WorkOwner { get; }

    /// <summary>The consumer began to enumerate.</summary>
    /// <returns>Whether the token ends the call, and with it the stream. If not, it ends the consumer's waits.</returns>
    bool OnEnumerated(CancellationToken cancellationToken);

    /// <summary>The consumer wants no more.</summary>
    void OnDisposed();

    /// <summary>An item could not be decoded; what follows is not looked at. In the turn.</summary>
    void OnUndecodable(Exception error);

    /// <summary>The consumer's code threw where nobody takes it.</summary>
    void OnUserCodeFailed(Exception error);
}

using System.Runtime.CompilerServices;

namespace Mux.TestSupport.Serializers;

/// <summary>Gives back what comes. A suite derives from it what implements its contract.</summary>
public abstract class EchoService<TMessage>
{
    /// <summary>What is given back.</summary>
    public Func<TMessage, TMessage> Answer { get; set; } = static message => message;

    public ValueTask<TMessage> Echo(TMessage message) => new(Answer(message));

    public async IAsyncEnumerable<TMessage> EchoAll(IAsyncEnumerable<TMessage> messages, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var message in messages.WithCancellation(cancellationToken)) yield return Answer(message);
    }

    /// <summary>Fails with the message as its detail.</summary>
    public ValueTask Refuse(TMessage message) => throw new MuxException(new MuxFailure(MuxStatus.FailedPrecondition, "As asked.", Answer(message)));
}

using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>A method with a request, whatever follows it. Immutable.</summary>
/// <typeparam name="TRequest">The request message; <see cref="MuxUnit"/> for no arguments, a generated message for several.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class RequestMethod<TRequest> : ContractMethod
{
    private MethodArgument<TRequest>[]? _arguments; // made when a filter first asks; twice at worst

    private protected RequestMethod(MethodDescriptor descriptor, MessageCodec<TRequest> requests)
        : base(descriptor) => Requests = requests;

    /// <summary>Gets the codec of the arguments other than a stream.</summary>
    public MessageCodec<TRequest> Requests { get; }

    /// <summary>Gets the delegate that reads the affinity key of a request; null if the contract declares none.</summary>
    public RequestKey<TRequest>? KeyOf { get; init; }

    /// <summary>Gets the parameter or member with the affinity key, for messages; empty if the contract declares none.</summary>
    public string KeyName { get; init; } = string.Empty;

    /// <summary>Gets the function that describes the arguments; null for none.</summary>
    public Func<MethodArgument<TRequest>[]>? Describe { get; init; }

    /// <summary>Gets the arguments, in the order of the contract. Any thread.</summary>
    public IReadOnlyList<MethodArgument<TRequest>> Arguments => _arguments ??= Describe?.Invoke() ?? [];

    /// <inheritdoc/>
    public override void Prepare()
    {
        Requests.Prepare();
        base.Prepare();
    }
}

using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// A method of a contract, as the generator describes it. Methods are objects and not types: the runtime has code per kind of messages, not per method, so a
/// thousand methods need no more of it than one. Immutable.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ContractMethod
{
    private protected ContractMethod(MethodDescriptor descriptor) => Descriptor = descriptor;

    /// <summary>Gets the method's identity.</summary>
    public MethodDescriptor Descriptor { get; }

    /// <summary>Gets the details of failures that the contract declares; null for none.</summary>
    public DetailCodec? Details { get; init; }

    /// <summary>
    /// Checks whether the serializer that the contract names supports the messages of the method. Called before the first call is made or accepted.
    /// </summary>
    /// <exception cref="InvalidOperationException">It does not; the message names the method and the type.</exception>
    public virtual void Prepare() => Details?.Prepare();
}

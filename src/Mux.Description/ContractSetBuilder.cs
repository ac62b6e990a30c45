using Mux.Contracts;
using Mux.Description.Joining;
using Mux.Description.Proto.Joining;
using Mux.Description.Reading;

namespace Mux.Description;

/// <summary>Builds a set of several contracts of this program, which share their messages. Not safe for concurrent use.</summary>
public sealed class ContractSetBuilder
{
    private readonly ContractDescription _description = new();
    private Func<string, string, bool>? _isShown;
    private Func<string, string, MethodAuthorization?>? _authorization;

    /// <summary>Adds a contract, and all messages that it reaches.</summary>
    /// <typeparam name="TContract">The contract interface.</typeparam>
    /// <returns>The same builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or its assembly was built without descriptions.</exception>
    public ContractSetBuilder Add<TContract>()
        where TContract : class
    {
        ServiceContract<TContract>.Get().Describe(_description);
        return this;
    }

    /// <summary>Adds what a delegate describes, such as a contract that a server serves.</summary>
    /// <param name="describe">Adds descriptors.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="InvalidOperationException">The assembly of the contract was built without descriptions.</exception>
    public ContractSetBuilder Add(Action<ContractDescription> describe)
    {
        ArgumentNullException.ThrowIfNull(describe);
        describe(_description);
        return this;
    }

    /// <summary>Leaves out methods, with the messages that only they reach, and services of which no method is left.</summary>
    /// <param name="isShown">Gets the wire names of a service and of a method, and returns true to keep the method.</param>
    /// <returns>The same builder.</returns>
    public ContractSetBuilder Only(Func<string, string, bool> isShown)
    {
        ArgumentNullException.ThrowIfNull(isShown);
        _isShown = isShown;
        return this;
    }

    /// <summary>Describes methods with the authorization of a server in place of the one that their contracts declare.</summary>
    /// <param name="authorization">Gets the wire names of a service and of a method, and returns its authorization; null if it has none.</param>
    /// <returns>The same builder.</returns>
    public ContractSetBuilder Authorize(Func<string, string, MethodAuthorization?> authorization)
    {
        ArgumentNullException.ThrowIfNull(authorization);
        _authorization = authorization;
        return this;
    }

    /// <summary>Builds the set.</summary>
    /// <exception cref="InvalidDataException">The contracts exceed a limit of <see cref="ContractSet.Read"/>, or two of them have the same name.</exception>
    public ContractSet Build()
    {
        var parts = _description.Parts.Select(ToPart);
        if (_isShown is not null) parts = ShownParts.Of(parts, _isShown);
        if (_authorization is { } authorization) parts = parts.Select(part => AuthorizedParts.Of(part, authorization));
        return SetReader.Read(new FileJoin(parts).Join());
    }

    private static TypePart ToPart(DescriptionPart part) => new(
        part.Kind switch
        {
            DescriptionKind.Message => PartKind.Message,
            DescriptionKind.Proto2Message => PartKind.Proto2Message,
            DescriptionKind.Enum => PartKind.Enum,
            DescriptionKind.Proto2Enum => PartKind.Proto2Enum,
            _ => PartKind.Service,
        },
        part.Package,
        part.Descriptor);
}

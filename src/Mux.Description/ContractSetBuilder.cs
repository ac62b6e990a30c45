using Mux.Contracts;
using Mux.Description.Joining;
using Mux.Description.Reading;

namespace Mux.Description;

/// <summary>Builds a set of several contracts of this program, which share their messages. Not safe for concurrent use.</summary>
public sealed class ContractSetBuilder
{
    private readonly ContractDescription _description = new();

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

    /// <summary>Builds the set.</summary>
    /// <exception cref="InvalidDataException">The contracts exceed a limit of <see cref="ContractSet.Read"/>, or two of them have the same name.</exception>
    public ContractSet Build() => SetReader.Read(new FileJoin(_description).Join());
}

using Mux.Generators.Describing;

namespace Mux.Generators.Contracts.Models;

/// <summary>A service contract without errors.</summary>
/// <param name="InterfaceName">The C# interface, fully qualified.</param>
/// <param name="DisplayName">Name of the interface for messages.</param>
/// <param name="Container">Name of the class with the generated code.</param>
/// <param name="WireName">Name on the wire.</param>
/// <param name="Methods">In declaration order.</param>
internal sealed record ServiceModel(
    string InterfaceName,
    string DisplayName,
    string Container,
    string WireName,
    EquatableArray<MethodModel> Methods)
{
    /// <summary>Its description in protobuf; null if the project has none.</summary>
    public DescriptionModel? Description { get; init; }

    /// <summary>Its name in the .proto file of which it was made; null for a contract in C#.</summary>
    public ProtoName? Imported { get; init; }

    /// <summary>The interface of implementations that take calls in batches; null if no method is batched.</summary>
    public BatchModel? Batch { get; init; }
}

namespace Mux.Generators.Contracts.Models;

/// <summary>A service contract without errors.</summary>
/// <param name="InterfaceName">The C# interface, fully qualified.</param>
/// <param name="DisplayName">The same for people.</param>
/// <param name="Container">The name of the class that holds what is generated for it.</param>
/// <param name="WireName">What both sides call it.</param>
/// <param name="Methods">In declaration order.</param>
internal sealed record ServiceModel(
    string InterfaceName,
    string DisplayName,
    string Container,
    string WireName,
    EquatableArray<MethodModel> Methods);

namespace Mux.Generators.Models;

/// <summary>A contract method.</summary>
/// <param name="Name">The C# name, escaped where it is a keyword.</param>
/// <param name="Identifier">A name for generated types that is unique in the contract.</param>
/// <param name="WireName">What both sides call it.</param>
/// <param name="ReturnForm">ValueTask or Task.</param>
/// <param name="ResultType">The C# type of the result; null for none.</param>
/// <param name="Parameters">Without the token.</param>
/// <param name="TokenName">The C# name of the token parameter; null if there is none.</param>
/// <param name="OneWay">Whether the caller does not wait.</param>
/// <param name="Dispatch">The name of the MuxDispatch member, resolved from method and contract.</param>
/// <param name="Request">What the arguments travel as.</param>
/// <param name="Response">What the result travels as.</param>
/// <param name="Arguments">The generated message of several arguments; null if one travels alone.</param>
internal sealed record MethodModel(
    string Name,
    string Identifier,
    string WireName,
    ReturnForm ReturnForm,
    string? ResultType,
    EquatableArray<ParameterModel> Parameters,
    string? TokenName,
    bool OneWay,
    string Dispatch,
    PayloadModel Request,
    PayloadModel Response,
    MessageModel? Arguments);

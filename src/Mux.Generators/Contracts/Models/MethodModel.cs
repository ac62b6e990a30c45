using Mux.Generators.Messages.Models;

namespace Mux.Generators.Contracts.Models;

/// <summary>A contract method.</summary>
/// <param name="Name">The C# name, escaped where it is a keyword.</param>
/// <param name="Identifier">A name for generated types that is unique in the contract.</param>
/// <param name="WireName">What both sides call it.</param>
/// <param name="ReturnForm">ValueTask, Task or neither.</param>
/// <param name="ResultType">The C# type of the result as it is declared; null for none.</param>
/// <param name="Parameters">In declaration order.</param>
/// <param name="OneWay">Whether the caller does not wait.</param>
/// <param name="Choices">What the attributes say.</param>
/// <param name="Request">What the arguments travel as.</param>
/// <param name="Item">What an item of the request stream travels as; nothing if there is none.</param>
/// <param name="Response">What the result travels as, or an item of it.</param>
/// <param name="RequestStream">How the request stream is declared; null if there is none.</param>
/// <param name="ResponseStream">How the response stream is declared; null if there is none.</param>
/// <param name="Errors">What may come with a failure.</param>
/// <param name="Arguments">The generated message of several arguments; null if one travels alone.</param>
/// <param name="DeclaringInterface">The C# interface that declares it, fully qualified; null for the contract itself.</param>
/// <param name="RequestFingerprint">Stands for the shape of what is sent.</param>
/// <param name="ResponseFingerprint">Stands for the shape of what comes back.</param>
internal sealed record MethodModel(
    string Name,
    string Identifier,
    string WireName,
    ReturnForm ReturnForm,
    string? ResultType,
    EquatableArray<ParameterModel> Parameters,
    bool OneWay,
    ChoicesModel Choices,
    PayloadModel Request,
    PayloadModel Item,
    PayloadModel Response,
    StreamForm? RequestStream,
    StreamForm? ResponseStream,
    EquatableArray<ErrorModel> Errors,
    MessageModel? Arguments,
    string? DeclaringInterface = null,
    uint RequestFingerprint = 0,
    uint ResponseFingerprint = 0)
{
    /// <summary>The name of the MethodShape member.</summary>
    public string Shape => (RequestStream, ResponseStream) switch
    {
        (not null, not null) => "Duplex",
        (not null, null) => "RequestStream",
        (null, not null) => "ResponseStream",
        _ => OneWay ? "OneWay" : "Unary",
    };

    /// <summary>What travels with the request.</summary>
    public IEnumerable<ParameterModel> Sent => Parameters.Where(static parameter => parameter.Role == ParameterRole.Argument);

    /// <summary>The one parameter with a role that only one can have; null if there is none.</summary>
    public ParameterModel? Find(ParameterRole role) => Parameters.FirstOrDefault(parameter => parameter.Role == role);
}

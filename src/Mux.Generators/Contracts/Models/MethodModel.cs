using Mux.Generators.Messages.Models;

namespace Mux.Generators.Contracts.Models;

/// <summary>A contract method.</summary>
/// <param name="Name">The C# name, escaped where it is a keyword.</param>
/// <param name="Identifier">Name for generated types, unique in the contract.</param>
/// <param name="WireName">Name on the wire.</param>
/// <param name="ReturnForm">ValueTask, Task or neither.</param>
/// <param name="ResultType">Declared C# type of the result; null for none.</param>
/// <param name="Parameters">In declaration order.</param>
/// <param name="OneWay">True if the caller does not wait.</param>
/// <param name="Choices">Options from the attributes.</param>
/// <param name="Request">Payload of the arguments.</param>
/// <param name="Item">Payload of an item of the request stream; empty if there is none.</param>
/// <param name="Response">Payload of the result, or of an item of it.</param>
/// <param name="RequestStream">Declared form of the request stream; null if there is none.</param>
/// <param name="ResponseStream">Declared form of the response stream; null if there is none.</param>
/// <param name="Errors">Messages that may accompany a failure.</param>
/// <param name="Arguments">Generated message of several arguments; null if one is sent alone.</param>
/// <param name="DeclaringInterface">C# interface that declares it, fully qualified; null for the contract itself.</param>
/// <param name="RequestFingerprint">Fingerprint of the request's shape.</param>
/// <param name="ResponseFingerprint">Fingerprint of the response's shape.</param>
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
        _ when HasCallbacks => "Duplex",
        _ => OneWay ? "OneWay" : "Unary",
    };

    /// <summary>Affinity key; null if the contract declares none.</summary>
    public KeyModel? Key { get; init; }

    /// <summary>True if the contract marks it as obsolete.</summary>
    public bool IsObsolete { get; init; }

    /// <summary>Most calls that a handler takes together; 0 if it takes each alone.</summary>
    public int Batched { get; init; }

    /// <summary>Interfaces of the callback parameters, in their order; empty for most methods.</summary>
    public EquatableArray<CallbackContractModel> Callbacks { get; init; } = EquatableArray<CallbackContractModel>.Empty;

    /// <summary>Payload of the result, if there are callbacks: <see cref="Response"/> is then the message that holds it.</summary>
    public PayloadModel? CallbackResult { get; init; }

    /// <summary>True if the method takes callbacks.</summary>
    public bool HasCallbacks => Callbacks.Count > 0;

    /// <summary>True if the runtime sees a stream in at least one direction.</summary>
    public bool IsStreamed => RequestStream is not null || ResponseStream is not null || HasCallbacks;

    /// <summary>Parameters sent with the request.</summary>
    public IEnumerable<ParameterModel> Sent => Parameters.Where(static parameter => parameter.Role == ParameterRole.Argument);

    /// <summary>Gets the parameter with a role that only one can have; null if there is none.</summary>
    public ParameterModel? Find(ParameterRole role) => Parameters.FirstOrDefault(parameter => parameter.Role == role);
}

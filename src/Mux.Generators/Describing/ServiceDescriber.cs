using Mux.Description.Proto.Descriptors;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>
/// Describes a contract as ServiceDescriptorProto. Protobuf has one message for each request and reply: a message of a method is itself, no value is Empty, any
/// other value or several arguments are a message of this method. Callbacks are services of their own.
/// </summary>
internal sealed class ServiceDescriber
{
    private const string Empty = ".google.protobuf.Empty";
    private const string Opaque = ".mux.Opaque"; // in the format that the method names
    private const string RawBytes = ".mux.RawBytes";

    private readonly GraphAnswers _answers;
    private readonly ServiceModel _service;
    private readonly ProtoName _name;
    private readonly MessageDescriber _messages;
    private readonly MessageDescriber _proto2Messages;
    private readonly List<PartModel> _parts = [];

    private ServiceDescriber(ServiceModel service, GraphAnswers answers)
    {
        _answers = answers;
        _service = service;
        _messages = new MessageDescriber(answers, isProto2: false);
        _proto2Messages = new MessageDescriber(answers, isProto2: true);
        var name = ProtoNames.OfService(service.WireName);
        while (answers.IsTaken(name.Full)) name = name with { Name = name.Name + "_Service" };
        _name = name;
    }

    /// <summary>Gets the names that services cannot have: those of packages and messages.</summary>
    public static HashSet<string> TakenNames(MessageGraph graph, IEnumerable<ServiceModel> services)
    {
        var packages = services.Select(static service => ProtoNames.OfService(service.WireName).Package);
        var taken = new HashSet<string>(graph.Names.Select(static name => name.Full), StringComparer.Ordinal);
        foreach (var package in packages.Concat(graph.Names.Select(static name => name.Package)))
        {
            for (var around = package; around.Length > 0; around = around.Substring(0, Math.Max(0, around.LastIndexOf('.')))) taken.Add(around);
        }

        return taken;
    }

    /// <param name="service">The contract.</param>
    /// <param name="answers">The messages, and the names that its services and messages cannot have.</param>
    public static DescriptionModel Describe(ServiceModel service, GraphAnswers answers) =>
        service.Imported is { } imported ? DescriptionModel.Of(imported) : new ServiceDescriber(service, answers).Describe();

    private DescriptionModel Describe()
    {
        var descriptor = Describe(_name.Name, _service.WireName == _name.Full ? null : _service.WireName, _service.Methods, isCallback: false);
        var service = PartModel.Service(_name.Package, descriptor);
        var callbacks = _service.Methods.SelectMany(static method => method.Callbacks).GroupBy(static callback => callback.Identifier, StringComparer.Ordinal)
            .Select(static same => same.First()).ToList();
        foreach (var callback in callbacks)
            _parts.Add(PartModel.Service(_name.Package, Describe(NameOf(callback), wireName: null, callback.Methods, isCallback: true)));

        var proto2 = _proto2Messages.ToModel([]);
        var model = _messages.ToModel([service, .. _parts, .. proto2.Parts]);
        return new DescriptionModel(new([.. model.Parts.Distinct()]), new([.. model.Codecs.Concat(proto2.Codecs).Distinct(StringComparer.Ordinal)]));
    }

    private WireWriter Describe(string name, string? wireName, IEnumerable<MethodModel> methods, bool isCallback)
    {
        var descriptor = new WireWriter().Text(1, name);
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var method in methods)
        {
            var word = ProtoNames.ToWord(method.WireName);
            while (!names.Add(word)) word += "_";
            descriptor.Message(2, Describe(method, word, $"{name}_{word}"));
        }

        return descriptor.Options(3, OptionsDescriber.OfService(wireName, isCallback));
    }

    private WireWriter Describe(MethodModel method, string name, string messages)
    {
        bool isStream = method.RequestStream is not null;
        var request = TypeOf(method, method.Request, messages + "Request");
        var input = isStream ? TypeOf(method, method.Item, messages + "Item") : request;
        var output = TypeOf(method, method.CallbackResult ?? method.Response, messages + "Response");
        var details = method.Errors.Select(error =>
            (error.Number, error.Codec is { } codec ? _messages.TypeOf(codec, isGroup: false).Reference!.Substring(1) : null));
        var options = OptionsDescriber.OfMethod(
            method, name == method.WireName ? null : method.WireName, isStream && request != Empty ? request.Substring(1) : null, details,
            method.Callbacks.Select(callback => (_name with { Name = NameOf(callback) }).Full));
        return new WireWriter().Text(1, name).Text(2, input).Text(3, output).Options(4, options)
            .Flag(5, isStream).Flag(6, method.ResponseStream is not null);
    }

    private string NameOf(CallbackContractModel callback) => $"{_name.Name}_{ProtoNames.ToWord(callback.Identifier)}";

    private string TypeOf(MethodModel method, PayloadModel payload, string name)
    {
        if (payload.Form == PayloadForm.Bytes) return RawBytes;
        if (payload.Serialized is { } serialized) return serialized.TypeName is null ? Empty : Opaque;
        if (payload.Codec is not { } codec) return Empty;
        if (method.Arguments is { } arguments && arguments.Codec == codec) return Make(name, arguments.Members);
        return _answers.Wrapper(codec) is { } wrapper ? Make(name, Renamed(method, payload, wrapper.Members[0]))
            : _messages.TypeOf(codec, isGroup: false).Reference!;
    }

    // The value of a parameter is named after it.
    private static IEnumerable<MemberModel> Renamed(MethodModel method, PayloadModel payload, MemberModel value)
    {
        bool isArgument = ReferenceEquals(payload, method.Request);
        return [value with
        {
            Name = isArgument ? method.Sent.First().PlainName : value.IsRepeated ? "Items" : "Value",
            IsOptional = payload.ValueType.EndsWith("?", StringComparison.Ordinal),
        }];
    }

    private string Make(string name, IEnumerable<MemberModel> members)
    {
        var full = _name with { Name = name };
        while (_answers.IsTaken(full.Full)) full = full with { Name = full.Name + "_" };
        bool isProto2 = MessageGraph.NeedsProto2(members);
        var descriptor = (isProto2 ? _proto2Messages : _messages).Describe(full.Name, full.Reference, members, []);
        _parts.Add(PartModel.Message(full.Package, isProto2, descriptor));
        return full.Reference;
    }
}

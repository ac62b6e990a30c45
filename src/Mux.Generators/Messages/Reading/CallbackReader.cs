using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Finds the methods of a message that are called around reading and writing, as protobuf-net does.</summary>
internal sealed class CallbackReader(Compilation compilation, Findings findings)
{
    // protobuf-net's own attribute takes precedence.
    private static readonly (CallbackMoment Moment, string Proto, string Runtime)[] s_moments =
    [
        (CallbackMoment.BeforeWriting, "ProtoBuf.ProtoBeforeSerializationAttribute", "System.Runtime.Serialization.OnSerializingAttribute"),
        (CallbackMoment.AfterWriting, "ProtoBuf.ProtoAfterSerializationAttribute", "System.Runtime.Serialization.OnSerializedAttribute"),
        (CallbackMoment.BeforeReading, "ProtoBuf.ProtoBeforeDeserializationAttribute", "System.Runtime.Serialization.OnDeserializingAttribute"),
        (CallbackMoment.AfterReading, "ProtoBuf.ProtoAfterDeserializationAttribute", "System.Runtime.Serialization.OnDeserializedAttribute"),
    ];

    /// <summary>True if an attribute makes a method a callback.</summary>
    public static bool IsCallback(string attribute) => s_moments.Any(moment => moment.Proto == attribute || moment.Runtime == attribute);

    /// <summary>True for a method that is called before its object is read.</summary>
    public static bool IsBeforeReading(IMethodSymbol method) => s_moments.Any(moment =>
        moment.Moment == CallbackMoment.BeforeReading && !method.IsStatic
            && (method.HasAttribute(moment.Proto) || method.HasAttribute(moment.Runtime)));

    /// <param name="type">The message.</param>
    /// <param name="unheard">Reason why protobuf-net calls none of its methods; null if it does.</param>
    public EquatableArray<CallbackModel> Read(INamedTypeSymbol type, string? unheard)
    {
        var marked = type.GetMembers().OfType<IMethodSymbol>().Where(static method => IsWritten(method) && !method.GetAttributes().IsEmpty).ToList();
        if (marked.Count == 0) return EquatableArray<CallbackModel>.Empty;

        var callbacks = new List<CallbackModel>();
        foreach (var (moment, proto, runtime) in s_moments)
        {
            var found = Find(marked, proto, unheard);
            var other = Find(marked, runtime, unheard);
            if (found is not null && other is not null) Ignore(other, runtime, $"'{found.ToDisplay()}' has [{ShortName(proto)}]");
            if ((found ?? other) is { } method && Read(type, method, moment, found is null ? runtime : proto) is { } callback) callbacks.Add(callback);
        }

        return new EquatableArray<CallbackModel>([.. callbacks]);
    }

    // Hardly any message has a callback, and most methods of one are accessors without a body or made by the compiler: the compiler need not look for their
    // attributes.
    private static bool IsWritten(IMethodSymbol method) => !method.IsImplicitlyDeclared
        && method.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is not AccessorDeclarationSyntax { AttributeLists.Count: 0 };

    private static string ShortName(string attribute) => attribute.Substring(attribute.LastIndexOf('.') + 1).Replace("Attribute", string.Empty);

    private IMethodSymbol? Find(List<IMethodSymbol> methods, string attribute, string? unheard)
    {
        IMethodSymbol? found = null;
        foreach (var method in methods.Where(method => method.HasAttribute(attribute)))
        {
            if (unheard is not null || method.IsStatic) Ignore(method, attribute, unheard ?? "it is static");
            else if (found is null) found = method;
            else findings.Report(MuxDiagnostics.Callback, method, method.ToDisplay(), ShortName(attribute), $"'{found.ToDisplay()}' has the same attribute");
        }

        return found;
    }

    private void Ignore(IMethodSymbol method, string attribute, string reason)
    {
        findings.Report(MuxDiagnostics.UnheardCallback, method, method.ToDisplay(), ShortName(attribute), reason);
    }

    private CallbackModel? Read(INamedTypeSymbol type, IMethodSymbol method, CallbackMoment moment, string attribute)
    {
        bool needsAccessor = !compilation.IsReachable(method);
        var arguments = method.Parameters.Select(parameter => ArgumentFor(parameter, type)).ToList();
        var problem = method switch
        {
            { ReturnsVoid: false } => "it returns a value",
            { IsGenericMethod: true } => "it is generic",
            _ when arguments.Contains(null) => "its parameters may be a StreamingContext, a SerializationContext and a Type",
            _ => null,
        };
        if (problem is not null)
        {
            findings.Report(MuxDiagnostics.Callback, method, method.ToDisplay(), ShortName(attribute), problem);
            return null;
        }

        return new CallbackModel(
            moment, method.Name, new EquatableArray<string>([.. method.Parameters.Select(static parameter => parameter.Type.ToBareCode())]),
            new EquatableArray<string>([.. arguments.Select(static argument => argument!)]), needsAccessor);
    }

    // The arguments that protobuf-net passes without a context.
    private static string? ArgumentFor(IParameterSymbol parameter, INamedTypeSymbol type)
    {
        const string states = "global::System.Runtime.Serialization.StreamingContextStates.Persistence";
        if (parameter.RefKind != RefKind.None || parameter.Type is not INamedTypeSymbol named) return null;
        return named.ToFullName() switch
        {
            "System.Runtime.Serialization.StreamingContext" => $"new {named.ToBareCode()}({states})",
            "ProtoBuf.SerializationContext" => CallbackModel.Context,
            "System.Type" => $"typeof({type.ToIdentity()})",
            _ => null,
        };
    }
}

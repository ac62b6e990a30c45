using Microsoft.CodeAnalysis.CSharp;
using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Symbols;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes the interface of a service.</summary>
internal static class InterfaceEmitter
{
    private static readonly string[] s_priorities = ["Normal", "High", "Low"];

    public static void Emit(SourceWriter writer, ProtoService service, TypeContext context)
    {
        var name = context.Names.NameOf(service);
        Declarations.Document(writer, service);
        Declarations.Mark(writer, service, context.File);
        writer.Line(service.IsCallback ? "[global::Mux.MuxCallback]" : $"[global::Mux.MuxService({Quote(service.WireName ?? service.FullName)})]");
        writer.Open($"{context.Access} partial interface {name}");
        var taken = new NameSet([]);
        bool isFirst = true;
        foreach (var method in service.Methods)
        {
            if (!isFirst) writer.Line();
            isFirst = false;
            Emit(writer, method, SymbolText.Escape(taken.Take(ProtoCase.Pascal(method.Name))), context, service.IsCallback);
        }

        writer.Close();
    }

    private static void Emit(SourceWriter writer, ProtoMethod method, string member, TypeContext context, bool isCallback)
    {
        Declarations.Document(writer, method);
        var options = method.Options;
        var choices = new List<string> { Quote(options.WireName ?? method.Name) };
        if (options.IsOneWay) choices.Add("OneWay = true");
        if (!isCallback) AddChoices(choices, method);
        writer.Line($"[global::Mux.MuxMethod({string.Join(", ", choices)})]");
        if (!isCallback)
        {
            foreach (var attribute in AuthorizationOf(options.Authorization)) writer.Line(attribute);
            foreach (var detail in options.Details.Where(static detail => detail.Message is not null))
                writer.Line($"[global::Mux.MuxError<{context.Names.CodeOf(detail.Message!)}>({detail.Number})]");
        }

        var parameters = ParametersOf(method, context.Names).Append("global::System.Threading.CancellationToken cancellationToken = default");
        writer.Line($"{ResultOf(method, context.Names)} {member}({string.Join(", ", parameters)});");
    }

    private static void AddChoices(List<string> choices, ProtoMethod method)
    {
        var options = method.Options;
        if (options.TimeoutMilliseconds != 0) choices.Add($"TimeoutMilliseconds = {options.TimeoutMilliseconds}");
        if (options.MaxMessageBytes != 0) choices.Add($"MaxMessageBytes = {options.MaxMessageBytes}");
        if (options.Priority is > 0 and < 3) choices.Add($"Priority = global::Mux.MuxCallPriority.{s_priorities[options.Priority]}");
        if (method.IdempotencyLevel != 0) choices.Add("Idempotent = true");
    }

    private static IEnumerable<string> AuthorizationOf(ProtoAuthorization? authorization)
    {
        if (authorization is null) yield break;
        if (authorization.AllowsAnonymous) yield return "[global::Mux.MuxAllowAnonymous]";
        foreach (var policy in authorization.Policies.Where(static policy => policy.Length > 0)) yield return $"[global::Mux.MuxAuthorize({Quote(policy)})]";
        foreach (var roles in authorization.Roles.Where(static roles => roles.Length > 0)) yield return $"[global::Mux.MuxAuthorize(Roles = {Quote(roles)})]";
        bool isRestricted = authorization.RequiresUser || authorization.Policies.Count + authorization.Roles.Count > 0;
        if (isRestricted && authorization.Policies.Concat(authorization.Roles).All(static name => name.Length == 0)) yield return "[global::Mux.MuxAuthorize]";
    }

    private static IEnumerable<string> ParametersOf(ProtoMethod method, CSharpNames names)
    {
        var options = method.Options;
        if (options.Arguments is { } arguments) yield return $"{names.CodeOf(arguments)} request";
        if (method.RequestName == ServiceShapes.RawBytes) yield return "global::System.IO.Stream content";
        else if (method.IsRequestStream)
            yield return $"global::System.Collections.Generic.IAsyncEnumerable<{names.CodeOf(method.RequestName)}> requests";
        else if (method.RequestName != ServiceShapes.Empty) yield return $"{names.CodeOf(method.RequestName)} request";
        for (int i = 0; i < options.Callbacks.Count; i++)
            yield return $"{names.CodeOf(options.Callbacks[i])} callback{(i == 0 ? string.Empty : $"{i + 1}")}";
    }

    private static string ResultOf(ProtoMethod method, CSharpNames names)
    {
        const string task = "global::System.Threading.Tasks.ValueTask";
        if (method.ResponseName == ServiceShapes.RawBytes) return "global::System.IO.Stream";
        if (method.IsResponseStream) return $"global::System.Collections.Generic.IAsyncEnumerable<{names.CodeOf(method.ResponseName)}>";
        return method.ResponseName == ServiceShapes.Empty ? task : $"{task}<{names.CodeOf(method.ResponseName)}>";
    }

    private static string Quote(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}

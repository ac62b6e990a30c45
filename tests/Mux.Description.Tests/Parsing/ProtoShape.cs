using System.Globalization;
using Mux.Description.Proto;

namespace Mux.Description.Tests.Parsing;

/// <summary>Files as lines, which are equal if everything is that descriptors say. Positions and comments are not in them.</summary>
internal sealed class ProtoShape
{
    private readonly List<string> _lines = [];

    private ProtoShape()
    {
    }

    public static IReadOnlyList<string> Of(ProtoFile file)
    {
        var shape = new ProtoShape();
        shape.Add($"file {file.Name} package {file.Package} {file.Syntax} {file.CSharpNamespace}");
        foreach (var import in file.Imports) shape.Add($"import {import.Name} {import.IsPublic}");
        foreach (var message in file.Messages) shape.Add(message);
        foreach (var type in file.Enums) shape.Add(type);
        foreach (var service in file.Services) shape.Add(service);
        return shape._lines;
    }

    /// <summary>Gets the comments, each with the name of its element.</summary>
    public static IEnumerable<string> CommentsOf(ProtoFile file)
    {
        var elements = file.Messages.SelectMany(Elements).Concat(file.Enums.SelectMany(Elements))
            .Concat(file.Services.SelectMany(static service => service.Methods.Prepend<ProtoElement>(service)));
        return elements.Where(static element => element.Comment is not null).Select(static element => $"{element.FullName}: {element.Comment}").Prepend($"{file.Name}: {file.Comment}");
    }

    // The message of a group has the comment of its field in the text alone.
    private static IEnumerable<ProtoElement> Elements(ProtoMessage message) => message.Fields.Concat<ProtoElement>(message.Oneofs)
        .Concat(message.Messages.SelectMany(Elements)).Concat(message.Enums.SelectMany(Elements)).Prepend(message);

    private static IEnumerable<ProtoElement> Elements(ProtoEnum type) => type.Values.Prepend<ProtoElement>(type);

    private static string Ranges(IEnumerable<ProtoRange> ranges) => string.Join(',', ranges.Select(static range => $"{range.First}-{range.Last}"));

    private void Add(ProtoMessage message)
    {
        Add($"message {message.FullName} {message.IsMapEntry} {message.IsDeprecated} reserved {Ranges(message.Reserved)} {string.Join(',', message.ReservedNames)}" +
            $" extensions {Ranges(message.Extensions)} oneofs {string.Join(',', message.Oneofs.Select(static oneof => oneof.FullName))}");
        foreach (var field in message.Fields) Add(field);
        foreach (var nested in message.Messages) Add(nested);
        foreach (var type in message.Enums) Add(type);
    }

    private void Add(ProtoField field) => Add(
        $"field {field.FullName} = {field.Number} {field.Kind} {field.TypeName} {field.Message?.FullName} {field.Enum?.FullName} {field.JsonName} in {field.Oneof?.FullName}" +
        $"{(field.IsRepeated ? " repeated" : "")}{(field.IsRequired ? " required" : "")}{(field.HasPresence ? " presence" : "")}{(field.IsPacked ? " packed" : "")}" +
        $"{(field.IsDeprecated ? " deprecated" : "")} default {field.Default ?? "none"} bits {field.Bits} {field.KeyBits} absent {field.Absent ?? "none"}");

    private void Add(ProtoEnum type)
    {
        Add($"enum {type.FullName} {(type.IsClosed ? "closed" : "open")} {type.AllowsAliases} {type.IsDeprecated} reserved {Ranges(type.Reserved)} {string.Join(',', type.ReservedNames)}");
        foreach (var value in type.Values) Add($"value {value.FullName} = {value.Number.ToString(CultureInfo.InvariantCulture)} {value.IsDeprecated}");
    }

    private void Add(ProtoService service)
    {
        Add($"service {service.FullName} {service.WireName} {service.IsCallback} {service.HasExactFields} {service.IsDeprecated}");
        foreach (var method in service.Methods)
        {
            var options = method.Options;
            var authorization = options.Authorization;
            Add($"method {method.FullName} {method.IsRequestStream} {method.RequestName} {method.Request?.FullName} {method.IsResponseStream} {method.ResponseName}" +
                $" {method.Response?.FullName} {method.IdempotencyLevel} {method.IsDeprecated} {options.WireName} {options.IsOneWay} {options.TimeoutMilliseconds}" +
                $" {options.MaxMessageBytes} {options.Priority} {options.Format} {options.Arguments} {string.Join(',', options.Details)} {string.Join(',', options.Callbacks)}" +
                $" {options.RequestFingerprint} {options.ResponseFingerprint} {authorization?.AllowsAnonymous} {authorization?.RequiresUser}" +
                $" {string.Join(',', authorization?.Policies ?? [])} {string.Join(';', authorization?.Roles ?? [])}");
        }
    }

    private void Add(string line) => _lines.Add(line);
}

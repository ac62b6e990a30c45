namespace Mux.Description.Proto.Printing;

/// <summary>
/// Writes the text of a file in one form: equal files have equal text. Elements keep their order; services come before messages, and messages before enums.
/// </summary>
internal sealed class ProtoPrinter
{
    /// <summary>The file that declares what Mux adds to the options of services, methods and fields.</summary>
    public const string OptionsFile = "mux/options.proto";

    private readonly ProtoText _text = new();
    private readonly ProtoFile _file;
    private readonly ProtoSyntax _syntax;

    private ProtoPrinter(ProtoFile file)
    {
        _file = file;
        _syntax = GroupForm.NeedsEdition(file) ? ProtoSyntax.Edition2023 : file.Syntax;
    }

    /// <summary>True if the text of a file has options that <see cref="OptionsFile"/> declares.</summary>
    public static bool HasOptions(ProtoFile file) => file.Services.Exists(ServicePrinter.HasOptions) || file.Messages.Exists(FieldPrinter.HasOptions);

    public static string Print(ProtoFile file) => new ProtoPrinter(file).Print();

    private string Print()
    {
        if (_file.Comment is not null) _text.Comment(_file.Comment).Gap();
        _text.Line(_syntax switch
        {
            ProtoSyntax.Proto2 => "syntax = \"proto2\";",
            ProtoSyntax.Proto3 => "syntax = \"proto3\";",
            _ => "edition = \"2023\";",
        });
        if (_file.Package.Length > 0) _text.Gap().Line($"package {_file.Package};");
        PrintImports();
        if (_file.CSharpNamespace is { } space) _text.Gap().Line($"option csharp_namespace = {ProtoLiteral.Text(space)};");

        var names = new NameScope(_file);
        var messages = new MessagePrinter(_text, names, _syntax);
        var services = new ServicePrinter(_text, names);
        foreach (var service in _file.Services) services.Print(service);
        foreach (var message in _file.Messages) messages.Print(message);
        foreach (var declared in _file.Enums) EnumPrinter.Print(_text, declared, _syntax);
        return _text.ToString();
    }

    private void PrintImports()
    {
        var imports = _file.Imports.ToDictionary(static import => import.Name, static import => import.IsPublic, StringComparer.Ordinal);
        if (HasOptions(_file) && !imports.ContainsKey(OptionsFile)) imports.Add(OptionsFile, false);
        if (imports.Count > 0) _text.Gap();
        foreach (var import in imports.OrderBy(static import => import.Key, StringComparer.Ordinal))
            _text.Line($"import {(import.Value ? "public " : string.Empty)}{ProtoLiteral.Text(import.Key)};");
    }
}

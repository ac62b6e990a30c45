using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads the statements of a file. Names are not resolved yet.</summary>
internal sealed class ProtoParser
{
    private readonly TokenReader _tokens;
    private readonly ParsedFile _file;
    private readonly OptionParser _options;
    private readonly MessageParser _messages;
    private readonly EnumParser _enums;
    private readonly ServiceParser _services;
    private bool _hasPackage;

    private ProtoParser(TokenReader tokens, ParsedFile file)
    {
        _tokens = tokens;
        _file = file;
        _options = new OptionParser(tokens);
        _enums = new EnumParser(tokens, file, _options);
        _messages = new MessageParser(tokens, file, _options, _enums);
        _services = new ServiceParser(tokens, file, _options);
    }

    public static ParsedFile Parse(string name, string text, FileFaults faults, ParseBudget budget)
    {
        var file = new ParsedFile(name, faults);
        var tokens = new TokenReader(text, faults, budget);
        new ProtoParser(tokens, file).Read();
        file.Model.Comment = tokens.FileComment;
        return file;
    }

    private void Read()
    {
        if ((_tokens.Is("syntax") || _tokens.Is("edition")) && !ReadSyntax()) return;
        while (!_tokens.IsAtEnd)
        {
            if (ReadStatement()) continue;
            _tokens.SkipStatement();
            if (!_tokens.Is("}")) continue;
            _tokens.Fault("A '}' without a '{' before it.");
            _tokens.Next();
        }
    }

    private bool ReadSyntax()
    {
        bool isEdition = _tokens.Is("edition");
        _tokens.Next();
        var position = _tokens.Position;
        if (!_tokens.Take("=")) return false;
        position = _tokens.Position;
        if (!_tokens.TakeText(isEdition ? "an edition" : "a syntax", out var name) || !_tokens.Take(";")) return false;
        if (isEdition && name == "2023") _file.Model.Syntax = ProtoSyntax.Edition2023;
        else if (!isEdition && name == "proto3") _file.Model.Syntax = ProtoSyntax.Proto3;
        else if (isEdition)
        {
            const string allowed = "edition \"2023\" and the syntaxes \"proto2\" and \"proto3\"";
            return _tokens.FaultAt(position, $"The edition \"{name}\" is not read; allowed are {allowed}.");
        }
        else if (name != "proto2")
            return _tokens.FaultAt(position, "Allowed are the syntaxes \"proto2\" and \"proto3\", or edition = \"2023\" instead.");
        return true;
    }

    private bool ReadStatement()
    {
        if (_tokens.TryTake(";")) return true;
        return _tokens.Current.Text switch
        {
            "message" => _messages.ReadMessage(null),
            "enum" => _enums.Read(null),
            "service" => _services.Read(),
            "extend" => _messages.ReadExtend(null),
            "import" => ReadImport(),
            "package" => ReadPackage(),
            "option" => _options.ReadStatement(_file.Options),
            _ => _tokens.Fault("Expected a statement: syntax (only as the first one), package, import, option, message, enum, service or extend."),
        };
    }

    private bool ReadPackage()
    {
        if (_hasPackage) _tokens.Fault("A file can have one package; this is the second one.");
        _hasPackage = true;
        _tokens.Next();
        _file.PackagePosition = _tokens.Position;
        if (_tokens.Is(".")) return _tokens.Fault("Expected the name of a package, without a dot before it.");
        if (!NameParser.Read(_tokens, "a package", out var name)) return false;
        int depth = name.Count(static character => character == '.') + 1;
        if (depth > ProtoLimits.PackageDepth)
            return _tokens.FaultAt(_file.PackagePosition, $"The package has {depth} parts; allowed are {ProtoLimits.PackageDepth}.");
        _file.Model.Package = name;
        return _tokens.Take(";");
    }

    private bool ReadImport()
    {
        _tokens.Next();
        bool isPublic = _tokens.TryTake("public");
        if (!isPublic && !_tokens.TryTake("weak") && _tokens.Is("option"))
            return _tokens.Fault("The statement import option needs edition 2024; allowed are import, import public and import weak.");
        var position = _tokens.Position;
        if (!_tokens.TakeText("the path of a file", out var path)) return false;
        _file.Model.Imports.Add(new ProtoImport(path, isPublic, position));
        return _tokens.Take(";");
    }
}

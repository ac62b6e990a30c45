using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads services.</summary>
internal sealed class ServiceParser(TokenReader tokens, ParsedFile file, OptionParser options)
{
    public bool Read()
    {
        var comment = tokens.Current.Comment;
        tokens.Next();
        if (!tokens.TakeName("a service", out var name) || !tokens.TakeType()) return false;
        var service = new ParsedService(new ProtoService { Name = name.Text, Position = name.Position, Comment = comment }, file);
        file.Services.Add(service);
        file.Model.Services.Add(service.Model);
        if (!tokens.Take("{")) return false;
        while (!tokens.TryTake("}"))
        {
            if (tokens.IsAtEnd) return tokens.Fault($"The service '{name.Text}' has no end: '}}' is missing.");
            if (!ReadStatement(service)) tokens.SkipStatement();
        }

        return true;
    }

    private bool ReadStatement(ParsedService service)
    {
        if (tokens.TryTake(";")) return true;
        if (tokens.Is("option")) return options.ReadStatement(service.Options);
        return tokens.Is("rpc") ? ReadMethod(service) : tokens.Fault("Expected 'rpc' or 'option'.");
    }

    private bool ReadMethod(ParsedService service)
    {
        var comment = tokens.Current.Comment;
        tokens.Next();
        if (!tokens.TakeMember() || !tokens.TakeName("a method", out var name)) return false;
        var method = new ParsedMethod(new ProtoMethod { Name = name.Text, Position = name.Position, Comment = comment }, service);
        service.Methods.Add(method);
        service.Model.Methods.Add(method.Model);
        if (!ReadSide(out bool isRequestStream, out var request, out var requestPosition) || !tokens.Take("returns")) return false;
        (method.Model.IsRequestStream, method.Model.RequestName, method.RequestPosition) = (isRequestStream, request, requestPosition);
        if (!ReadSide(out bool isResponseStream, out var response, out var responsePosition)) return false;
        (method.Model.IsResponseStream, method.Model.ResponseName, method.ResponsePosition) = (isResponseStream, response, responsePosition);
        return tokens.Is("{") ? ReadOptions(method) : tokens.Take(";");
    }

    private bool ReadSide(out bool isStream, out string name, out ProtoPosition position)
    {
        isStream = false;
        name = string.Empty;
        position = tokens.Position;
        if (!tokens.Take("(")) return false;
        isStream = tokens.TryTake("stream");
        position = tokens.Position;
        if (FieldParser.KindOf(tokens.Current.Text) is not null) return tokens.Fault($"Expected the name of a message, not the type '{tokens.Current.Text}'.");
        return NameParser.Read(tokens, "a message", out name) && tokens.Take(")");
    }

    private bool ReadOptions(ParsedMethod method)
    {
        tokens.Next();
        while (!tokens.TryTake("}"))
        {
            if (tokens.IsAtEnd) return tokens.Fault($"The options of the method '{method.Model.Name}' have no end: '}}' is missing.");
            if (!tokens.TryTake(";") && !options.ReadStatement(method.Options)) tokens.SkipStatement();
        }

        return true;
    }
}

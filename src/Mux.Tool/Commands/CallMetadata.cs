using System.CommandLine;
using System.CommandLine.Parsing;

namespace Mux.Tool.Commands;

/// <summary>The option for metadata that is sent with every call.</summary>
internal static class CallMetadata
{
    public const string Name = "--metadata";
    public const string ShortName = "-H";

    public static Option<MuxMetadata?> Create() => new(Name, ShortName)
    {
        Description = $"Metadata to send with every call, such as {ShortName} \"tenant: 7\"; may be repeated, up to {MuxMetadata.MaxEntries} times",
        HelpName = "NAME:VALUE",
        Arity = ArgumentArity.OneOrMore,
        CustomParser = Parse,
    };

    private static MuxMetadata? Parse(ArgumentResult result)
    {
        var metadata = new MuxMetadata();
        if (result.Tokens.Count > MuxMetadata.MaxEntries) return Reject(result, $"{result.Tokens.Count} entries: expected up to {MuxMetadata.MaxEntries}.");
        foreach (var token in result.Tokens)
        {
            int colon = token.Value.IndexOf(':', StringComparison.Ordinal);
            if (colon < 1) return Reject(result, $"'{token.Value}': expected a name and a value with a colon between them, such as \"tenant: 7\".");
            try
            {
                metadata.Add(token.Value[..colon].Trim(), token.Value[(colon + 1)..].Trim());
            }
            catch (ArgumentException error)
            {
                return Reject(result, error.Message.Replace($" (Parameter '{error.ParamName}')", "", StringComparison.Ordinal));
            }
        }

        return metadata;
    }

    private static MuxMetadata? Reject(ArgumentResult result, string reason)
    {
        result.AddError($"{Name} {reason}");
        return null;
    }
}

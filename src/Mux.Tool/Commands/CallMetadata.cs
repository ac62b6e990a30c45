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
        Description = $"Metadata to send with every call, such as {ShortName} \"tenant: 7\", or a secret from its source, such as {ShortName} " +
            $"\"token: env:TOKEN\" or \"token: file:PATH\"; may be repeated, up to {MuxMetadata.MaxEntries} times",
        HelpName = "NAME:VALUE",
        Arity = ArgumentArity.OneOrMore,
        CustomParser = Parse,
    };

    private static MuxMetadata? Parse(ArgumentResult result)
    {
        var metadata = new MuxMetadata();
        if (result.Tokens.Count > MuxMetadata.MaxEntries) return Reject(result, $"{result.Tokens.Count} entries: expected up to {MuxMetadata.MaxEntries}.");
        for (int i = 0; i < result.Tokens.Count; i++)
        {
            var text = result.Tokens[i].Value;
            int colon = text.IndexOf(':', StringComparison.Ordinal);
            if (colon < 1)
            {
                // The text is not repeated: a secret whose name was forgotten looks like this.
                return Reject(result, $"number {i + 1} has no name: expected a name and a value with a colon between them, such as \"tenant: 7\".");
            }

            try
            {
                metadata.Add(text[..colon].Trim(), ValueOf(text[(colon + 1)..].Trim()));
            }
            catch (ToolException failure)
            {
                result.AddError(failure.Message);
                return null;
            }
            catch (ArgumentException error)
            {
                return Reject(result, error.Message.Replace($" (Parameter '{error.ParamName}')", "", StringComparison.Ordinal));
            }
        }

        return metadata;
    }

    /// <summary>Gets a value from where it says that it is, like a bearer token; any other text is the value.</summary>
    private static string ValueOf(string text) => SecretSource.Parse(text)?.Read(Name) ?? text;

    private static MuxMetadata? Reject(ArgumentResult result, string reason)
    {
        result.AddError($"{Name} {reason}");
        return null;
    }
}

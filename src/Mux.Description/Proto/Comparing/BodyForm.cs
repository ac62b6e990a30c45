namespace Mux.Description.Proto.Comparing;

/// <summary>Forms of a request or reply.</summary>
internal static class BodyForm
{
    public const string Arguments = "arguments";

    /// <summary>Gets the form of a request or reply: messages that are made for a method have names that begin with it.</summary>
    public static string Of(ProtoService service, ProtoMethod method, ProtoMessage message) => message.FullName switch
    {
        "google.protobuf.Empty" => "nothing",
        "mux.RawBytes" => "bytes",
        "mux.Opaque" => "a value in another format",
        var name => name.StartsWith(service.FullName, StringComparison.Ordinal) && IsMade(name.TrimEnd('_'), $"{service.FullName}_{method.Name}")
            ? Arguments : "one message",
    };

    private static bool IsMade(string name, string start) => name == start + "Request" || name == start + "Item" || name == start + "Response";
}

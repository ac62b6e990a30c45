using Mux.Description.Proto.Parsing.Linking;
using Mux.Description.Proto.Parsing.Options;

namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>Something of a file that can have options, with what the model does not keep of it.</summary>
internal abstract class ParsedNode
{
    /// <summary>Gets the file in which it stands.</summary>
    public abstract ParsedFile File { get; }

    /// <summary>Gets what it inherits features from; null for a file.</summary>
    public abstract ParsedNode? Parent { get; }

    /// <summary>Gets the name of its message of options in google/protobuf/descriptor.proto, without the package.</summary>
    public abstract string OptionsName { get; }

    /// <summary>Gets its name among the targets of options.</summary>
    public abstract string Target { get; }

    /// <summary>Gets the full name, from which names in options are looked up.</summary>
    public abstract string Scope { get; }

    public abstract ProtoPosition Position { get; }

    /// <summary>Gets the options as the file has them.</summary>
    public List<ParsedOption> Options { get; set; } = [];

    /// <summary>Gets or sets the options as values.</summary>
    public OptionMessage? Values { get; set; }

    /// <summary>Gets or sets the features that apply to it.</summary>
    public Features Features { get; set; } = Features.Proto2;
}

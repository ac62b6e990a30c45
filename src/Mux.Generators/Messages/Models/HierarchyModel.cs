namespace Mux.Generators.Messages.Models;

/// <summary>
/// The place of a class in a chain of messages that inherit each other: written from the first of them, each part nested in the one of its base.
/// </summary>
/// <param name="RootType">The class with which writing starts.</param>
/// <param name="RootCodec">Its codec, which reads and writes objects of every class below.</param>
/// <param name="IsRoot">Whether this is it.</param>
/// <param name="IsAbstract">Whether there are no objects of this very class.</param>
/// <param name="Bases">The classes above, from the root to the nearest: their objects can become one of this class while they are read.</param>
/// <param name="Includes">The classes below, by field number.</param>
internal sealed record HierarchyModel(
    string RootType, string RootCodec, bool IsRoot, bool IsAbstract, EquatableArray<string> Bases, EquatableArray<IncludeModel> Includes);

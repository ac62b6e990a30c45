using System.Collections.Concurrent;
using System.Reflection;

namespace Mux.Proto.Tests.Messages;

/// <summary>The members of an imported type, by the number of their field.</summary>
internal static class ImportedMembers
{
    private static readonly ConcurrentDictionary<Type, IReadOnlyList<(int Number, PropertyInfo Property)>> s_members = [];

    public static IReadOnlyList<(int Number, PropertyInfo Property)> Of(Type type) => s_members.GetOrAdd(type, static type => [.. Read(type)]);

    // By name: each assembly has attributes of its own.
    private static IEnumerable<(int, PropertyInfo)> Read(Type type)
    {
        foreach (var property in type.GetProperties())
        {
            var member = property.CustomAttributes.FirstOrDefault(static attribute => attribute.AttributeType.FullName == "ProtoBuf.ProtoMemberAttribute");
            if (member is not null) yield return ((int)member.ConstructorArguments[0].Value!, property);
        }
    }
}
